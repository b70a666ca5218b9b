import { createHash } from 'node:crypto'
import { API_ROLES, type ApiRole, SyncError } from '@godwit/protocol'
import type { Claims, ConsoleSignIn, ProviderTools, SignInCallback } from '@godwit/source'
import type { Discovery } from './discovery.js'
import { fetchJson } from './fetch-json.js'
import type { ConsoleOptions, OidcOptions } from './oidc-options.js'
import { tokenInvalid } from './token-errors.js'
import type { TokenRules } from './token-rules.js'
import { userOf } from './user-rules.js'

interface ConsoleParts {
  readonly options: OidcOptions
  readonly console: ConsoleOptions
  readonly discovery: Discovery
  readonly tools: Pick<ProviderTools, 'fetch' | 'randomId'>
  readonly verify: (token: string, rules: TokenRules) => Promise<Claims>
}

/** Returns the authorization code flow with PKCE and a nonce, at the endpoints that the provider's configuration names. */
export function consoleSignIn(parts: ConsoleParts): ConsoleSignIn {
  const { options, console: own, discovery, tools } = parts
  const { clientId, scope = 'openid profile email', label = new URL(options.issuer).host } = own
  return {
    label,
    async begin(redirectUri) {
      const { authorization } = await discovery.addresses()
      const [state, nonce, verifier] = [randomText(tools), randomText(tools), randomText(tools)]
      const url = new URL(endpoint('authorization_endpoint', authorization))
      const parameters = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: own.redirectUri ?? redirectUri,
        scope,
        state,
        nonce,
        code_challenge: digest(verifier),
        code_challenge_method: 'S256',
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return { url: url.href, state, nonce, verifier }
    },
    async finish(callback) {
      const claims = await redeem(parts, callback)
      const login = own.login ?? options.login
      const user = userOf(claims, { ...options, ...(login !== undefined && { login }) })
      return { ...user, role: roleOf(own, claims) }
    },
  }
}

/** Exchanges the code for an ID token and verifies that it belongs to this sign-in. */
async function redeem({ options, console: own, discovery, tools, verify }: ConsoleParts, callback: SignInCallback) {
  const { clientId, clientSecret } = own
  const { token, secretInBody } = await discovery.addresses()
  const inHeader = clientSecret !== undefined && !secretInBody
  const answer = await fetchJson(tools.fetch, endpoint('token_endpoint', token), {
    form: {
      grant_type: 'authorization_code',
      code: callback.code,
      redirect_uri: own.redirectUri ?? callback.redirectUri,
      code_verifier: callback.verifier,
      ...(!inHeader && { client_id: clientId }),
      ...(clientSecret !== undefined && secretInBody && { client_secret: clientSecret }),
    },
    ...(inHeader && { headers: { authorization: basic(clientId, clientSecret) } }),
  })
  const { id_token: idToken } = answer
  if (typeof idToken !== 'string') throw tokenInvalid('the provider gave no ID token')
  const { check: _ofAccessTokens, ...rules } = options
  const claims = await verify(idToken, { ...rules, audience: clientId })
  if (claims['nonce'] !== callback.nonce) throw tokenInvalid('its claim nonce does not fit')
  return claims
}

function roleOf({ role }: ConsoleOptions, claims: Claims): ApiRole | undefined {
  const given = role(claims)
  if (given === undefined || API_ROLES.includes(given)) return given
  throw new SyncError('internal', `oidc.console.role: expected one of ${API_ROLES.join(', ')}, got another value.`)
}

function endpoint(name: string, address: string | undefined): string {
  if (address !== undefined) return address
  throw new SyncError('backend_failed', `The identity provider has no ${name}, so the console cannot sign in with it.`)
}

/** RFC 6749 requires both parts to be form-encoded. */
const basic = (id: string, secret: string): string => {
  const encode = (text: string): string => new URLSearchParams({ text }).toString().slice('text='.length)
  return `Basic ${Buffer.from(`${encode(id)}:${encode(secret)}`).toString('base64')}`
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** 43 characters, as a PKCE verifier needs. */
const randomText = ({ randomId }: Pick<ProviderTools, 'randomId'>): string => digest(randomId() + randomId())
