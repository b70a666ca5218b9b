import type { Claims, ProviderTools, TokenProvider, TokenVerifier } from '@godwit/source'
import { consoleSignIn } from './authorization-code.js'
import { checkAddress } from './check-address.js'
import { Discovery } from './discovery.js'
import { fetchJson } from './fetch-json.js'
import { KeySet } from './key-set.js'
import type { ConsoleOptions, OidcOptions } from './oidc-options.js'
import { kindOf, settingError } from './setting-error.js'
import { checkTokenRules, issuerOf, PUBLIC_KEY_ALGORITHMS, type TokenRules, verifyToken } from './token-rules.js'
import { checkUserRules, userOf } from './user-rules.js'

/**
 * Accepts tokens of an OpenID Connect provider, whose keys are found by its issuer. Throws `value_not_allowed` for options that do not fit.
 *
 * @example
 * oidc({ issuer: 'https://login.example.com', audience: 'godwit', login: 'email', attributes: ['org', 'roles'] })
 */
export function oidc(options: OidcOptions): TokenProvider {
  checkTokenRules('oidc', options, PUBLIC_KEY_ALGORITHMS)
  checkUserRules('oidc', options)
  checkAddress('oidc.issuer', options.issuer)
  if (options.console !== undefined) checkConsole(options.console)
  return { kind: 'tokens', issuer: options.issuer, open: tools => verifierOf(options, tools) }
}

function verifierOf(options: OidcOptions, tools: ProviderTools): TokenVerifier {
  const { issuer } = options
  const { fetch, clock, log } = tools
  const discovery = new Discovery(issuer, tools)
  const keys = new KeySet({ load: async () => fetchJson(fetch, (await discovery.addresses()).keys), clock, log })
  const verify = (token: string, rules: TokenRules): Promise<Claims> =>
    verifyToken(token, { rules, key: keys.find, algorithms: PUBLIC_KEY_ALGORITHMS, now: clock() })
  return {
    issuer,
    accepts: token => issuerOf(token) === issuer,
    verify: async token => userOf(await verify(token, options), options),
    checkKeys: () => keys.check(),
    console: options.console && consoleSignIn({ options, console: options.console, discovery, tools, verify }),
  }
}

function checkConsole({ clientId, clientSecret, role, login }: ConsoleOptions): void {
  if (typeof clientId !== 'string' || clientId === '')
    throw settingError('oidc.console.clientId', 'a text', kindOf(clientId))
  if (clientSecret !== undefined && (typeof clientSecret !== 'string' || clientSecret === ''))
    throw settingError('oidc.console.clientSecret', 'a text', kindOf(clientSecret))
  if (typeof role !== 'function') throw settingError('oidc.console.role', 'a function', kindOf(role))
  checkUserRules('oidc.console', login === undefined ? {} : { login })
}
