import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

const RESOURCE = 'urn:godwit'
const REDIRECT = 'http://127.0.0.1/signed-in'

/** A certified OpenID provider on loopback, which signs every visitor in as the present person. */
export interface IdentityProvider {
  readonly issuer: string
  /** Who signs in next. */
  person: string
  /** Signs a person in to the app, and returns an access token for the audience `godwit` that expires in ten minutes. */
  accessToken(person: string): Promise<string>
  close(): Promise<void>
}

export interface IdentityProviderOptions {
  /** The callback of the console. */
  readonly consoleCallback: string
}

/** A browser without pages: follows redirects, and keeps cookies for each origin. */
export class CookieJar {
  readonly #cookies = new Map<string, Map<string, string>>()

  /** Follows redirects until an address begins with `until`, which is not requested, or a page answers. */
  async follow(address: string, until?: string): Promise<{ readonly url: string; readonly status: number }> {
    let url = address
    for (let hops = 0; hops < 20; hops++) {
      if (until !== undefined && url.startsWith(until)) return { url, status: 0 }
      const answer = await this.get(url)
      const location = answer.headers.get('location')
      if (location === null) return { url, status: answer.status }
      url = new URL(location, url).href
    }
    throw new Error(`expected a page, got redirects without end, at last to ${url}`)
  }

  async get(url: string): Promise<Response> {
    const { origin } = new URL(url)
    const own = this.#cookies.get(origin) ?? new Map<string, string>()
    this.#cookies.set(origin, own)
    const cookie = [...own].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const text of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      if (value === '') own.delete(name)
      else own.set(name, value)
    }
    return answer
  }
}

export async function openIdentityProvider({ consoleCallback }: IdentityProviderOptions): Promise<IdentityProvider> {
  let answer = (_request: IncomingMessage, response: ServerResponse): void => void response.end()
  const server = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, configurationOf(consoleCallback))
  const serve = provider.callback()
  const own: IdentityProvider = {
    issuer,
    person: 'ada',
    async accessToken(person) {
      own.person = person
      return signInToApp(issuer)
    },
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
  answer = (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return serve(request, response)
    signIn(provider, own.person, request, response).catch((error: unknown) =>
      response.writeHead(500).end(String(error)),
    )
  }
  return own
}

function configurationOf(consoleCallback: string): object {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const claimsOf = (person: string) => ({
    email: `${person}@example.com`,
    email_verified: true,
    org: person === 'ada' ? 'north' : 'south',
    roles: person === 'olga' ? ['sync-admins'] : [],
  })
  return {
    clients: [
      { client_id: 'app', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none', application_type: 'native' },
      {
        client_id: 'console',
        client_secret: 'the secret of the console',
        redirect_uris: [consoleCallback],
        application_type: 'native',
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'first', use: 'sig', alg: 'RS256' }] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['org', 'roles'] },
    conformIdTokenClaims: false,
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id, ...claimsOf(id) }) }),
    extraTokenClaims: (_: unknown, { accountId }: { accountId?: string }) => claimsOf(accountId ?? ''),
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: 'sync',
          audience: 'godwit',
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  }
}

async function signIn(provider: Provider, accountId: string, request: IncomingMessage, response: ServerResponse) {
  const { params } = await provider.interactionDetails(request, response)
  const grant = new provider.Grant({ accountId, clientId: params.client_id })
  grant.addOIDCScope('openid profile email')
  grant.addResourceScope(RESOURCE, 'sync')
  await provider.interactionFinished(request, response, {
    login: { accountId },
    consent: { grantId: await grant.save() },
  })
}

/** The authorization code flow of an app. */
async function signInToApp(issuer: string): Promise<string> {
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    client_id: 'app',
    response_type: 'code',
    redirect_uri: REDIRECT,
    scope: 'openid sync',
    resource: RESOURCE,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const { url } = await new CookieJar().follow(`${issuer}/auth?${query}`, REDIRECT)
  const code = new URL(url).searchParams.get('code')
  if (code === null) throw new Error(`expected a code, got ${url}`)
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: 'app',
    code,
    redirect_uri: REDIRECT,
    code_verifier: verifier,
    resource: RESOURCE,
  })
  const answer = await fetch(`${issuer}/token`, { method: 'POST', body })
  const { access_token: token } = (await answer.json()) as { access_token?: string }
  if (token === undefined) throw new Error(`expected an access token, got the status ${answer.status}`)
  return token
}
