import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { oidc, passwords } from '@godwit/auth'
import type { AuthProvider } from '@godwit/server'
import { choicePage, failurePage, readAuthorization } from './authorize.js'
import { type Grant, Grants } from './grants.js'
import { claimsOf } from './people.js'
import { createTokenSigner, type TokenSigner } from './token-signer.js'

export interface DemoProviderOptions {
  /** On which it listens. 0: any free one. */
  readonly port: number
  readonly host: string
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** An OpenID provider of the demo, which asks for no passwords. */
export interface DemoProvider {
  readonly issuer: string
  /** The `auth` option of a server that accepts its tokens beside passwords. */
  readonly auth: readonly AuthProvider[]
  close(): Promise<void>
}

const AUDIENCE = 'godwit-demo'
/** Seconds until a token expires. */
const TOKEN_LIFE = 600
/** The most bytes of a form. */
const MAX_FORM = 16 * 1024

/** Starts the provider: authorization code flow with PKCE, and refresh tokens. Rejects if the port is in use. */
export async function openDemoProvider({ port, host, clock }: DemoProviderOptions): Promise<DemoProvider> {
  const server = createServer()
  server.listen(port, host)
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const site: Site = { issuer, clock, grants: new Grants(clock), signer: createTokenSigner() }
  server.on('request', (request, response) => {
    respond(site, request, response).catch(() => response.destroy())
  })
  return {
    issuer,
    auth: [passwords(), providerOf(issuer)],
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

const providerOf = (issuer: string): AuthProvider =>
  oidc({
    issuer,
    audience: AUDIENCE,
    login: 'email',
    attributes: ['team'],
    console: {
      clientId: 'console',
      label: 'the demo provider',
      role: ({ roles }) => (Array.isArray(roles) && roles.includes('sync-readers') ? 'reader' : undefined),
    },
  })

interface Site {
  readonly issuer: string
  readonly clock: () => number
  readonly grants: Grants
  readonly signer: TokenSigner
}

/** A response of the provider. */
interface Reply {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly text?: string
}

async function respond(site: Site, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, headers, text } = await replyTo(site, request)
  response.writeHead(status, { 'cache-control': 'no-store', ...headers }).end(text)
}

async function replyTo(site: Site, request: IncomingMessage): Promise<Reply> {
  const { pathname, searchParams } = new URL(request.url ?? '/', site.issuer)
  switch (`${request.method} ${pathname}`) {
    case 'GET /.well-known/openid-configuration':
      return json(configurationOf(site.issuer))
    case 'GET /keys':
      return json(site.signer.keys)
    case 'GET /authorize':
      return authorize(site, searchParams)
    case 'POST /token': {
      const form = await readForm(request)
      const grant = form && grantOf(site, form)
      return grant === undefined ? json({ error: 'invalid_grant' }, 400) : json(tokensOf(site, grant))
    }
    default:
      return page(failurePage('There is no such page.'), 404)
  }
}

const configurationOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  response_types_supported: ['code'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['ES256'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
})

function authorize({ grants, issuer }: Site, parameters: URLSearchParams): Reply {
  try {
    const request = readAuthorization(parameters)
    const { client, person, nonce, redirectUri, challenge, state } = request
    if (person === undefined) return page(choicePage(request, parameters))
    const terms = { redirectUri: parameters.get('redirect_uri') ?? '', challenge }
    redirectUri.searchParams.set('code', grants.newCode({ client, person, nonce }, terms))
    if (state !== null) redirectUri.searchParams.set('state', state)
    redirectUri.searchParams.set('iss', issuer)
    return { status: 302, headers: { location: redirectUri.href } }
  } catch (error) {
    return page(failurePage((error as Error).message), 400)
  }
}

function grantOf({ grants }: Site, form: URLSearchParams): Grant | undefined {
  const read = (name: string): string => form.get(name) ?? ''
  const client = read('client_id')
  if (read('grant_type') === 'refresh_token') return grants.refresh(read('refresh_token'), client)
  if (read('grant_type') !== 'authorization_code') return undefined
  return grants.redeem({
    code: read('code'),
    client,
    redirectUri: read('redirect_uri'),
    verifier: read('code_verifier'),
  })
}

function tokensOf({ issuer, clock, signer, grants }: Site, grant: Grant): object {
  const { client, person, nonce } = grant
  const now = Math.floor(clock() / 1000)
  const claims = { ...claimsOf(person), iss: issuer, iat: now, exp: now + TOKEN_LIFE, jti: crypto.randomUUID() }
  return {
    token_type: 'Bearer',
    expires_in: TOKEN_LIFE,
    access_token: signer.sign({ ...claims, aud: AUDIENCE }),
    id_token: signer.sign({ ...claims, aud: client, nonce }),
    refresh_token: grants.newRefreshToken(grant),
  }
}

/** Returns undefined for a form that is too long. */
async function readForm(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > MAX_FORM) return undefined
    parts.push(part)
  }
  return new URLSearchParams(Buffer.concat(parts).toString())
}

/** Pages of any origin may read it: a token request needs a code, and the verifier of the page that began. */
const json = (value: object, status = 200): Reply => ({
  status,
  headers: { 'content-type': 'application/json', 'access-control-allow-origin': '*' },
  text: JSON.stringify(value),
})

const page = (text: string, status = 200): Reply => ({
  status,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
  },
  text,
})
