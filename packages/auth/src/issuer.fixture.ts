import { SyncError } from '@godwit/protocol'
import type { GuardedRequest, ProviderTools } from '@godwit/source'
import { exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose'

export const ISSUER = 'https://login.example.com'
export const NOW = Date.parse('2026-03-01T12:00:00Z')

interface Answer {
  readonly status: number
  readonly body: string
}
type Reply = Answer | Promise<Answer>

/** A made-up issuer with one key, and the tools of a server that can reach it. */
export async function openIssuer() {
  const keys = [await newKey('first')]
  const requests: { readonly url: string; readonly request: GuardedRequest }[] = []
  const warnings: object[] = []
  const time = { now: NOW }
  const replies = new Map<string, () => Reply>([
    [`${ISSUER}/.well-known/openid-configuration`, () => json(CONFIGURATION)],
    [`${ISSUER}/keys`, () => json({ keys: keys.map(({ jwk }) => jwk) })],
  ])
  const tools: ProviderTools = {
    clock: () => time.now,
    randomId: () => crypto.randomUUID(),
    log: { warn: facts => void warnings.push(facts) },
    async fetch(url, request) {
      requests.push({ url, request })
      const reply = replies.get(url)
      if (reply === undefined) throw new SyncError('backend_failed', 'The address cannot be reached.')
      const { status, body } = await reply()
      if (body.length > (request.maxBytes ?? 0)) throw new SyncError('backend_failed', 'The response is too large.')
      return { status, headers: {}, body }
    },
  }
  return {
    tools,
    time,
    keys,
    warnings,
    /** Replaces what an address answers. */
    reply: (path: string, answer: () => Reply) => void replies.set(ISSUER + path, answer),
    requestsOf: (path: string) => requests.filter(({ url }) => url === ISSUER + path),
    /** Signs claims with a key; a claim that is undefined is left out. */
    async token(claims: object = {}, header: Partial<JWTHeaderParameters> = {}, key = keys[0]) {
      if (key === undefined) throw new Error('expected a key, got none')
      const seconds = Math.floor(time.now / 1000)
      const payload = { iss: ISSUER, aud: 'godwit', sub: 'u1', iat: seconds, exp: seconds + 600, ...claims }
      return new SignJWT(JSON.parse(JSON.stringify(payload)))
        .setProtectedHeader({ alg: 'RS256', kid: key.kid, ...header })
        .sign(key.secret)
    },
  }
}

export async function newKey(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  return {
    kid,
    secret: privateKey,
    open: publicKey,
    jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' },
  }
}

export const json = (value: unknown, status = 200): Answer => ({ status, body: JSON.stringify(value) })

export const CONFIGURATION = {
  issuer: ISSUER,
  jwks_uri: `${ISSUER}/keys`,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
}
