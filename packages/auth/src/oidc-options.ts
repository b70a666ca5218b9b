import type { ApiRole } from '@godwit/protocol'
import type { Claims } from '@godwit/source'
import type { TokenRules } from './token-rules.js'
import type { UserRules } from './user-rules.js'

/** Options of `oidc`. */
export interface OidcOptions extends TokenRules, UserRules {
  /** Sign-in of operators in the console. Default: by password only. */
  readonly console?: ConsoleOptions
}

/** Sign-in of operators in the console, by authorization code with PKCE. */
export interface ConsoleOptions {
  /** The client that is registered at the provider, with the callback `https://…/rc/v1/system/session/callback`. */
  readonly clientId: string
  /** The client's secret. Default: a public client, which PKCE alone protects. */
  readonly clientSecret?: string
  /** The callback as it is registered. Default: at the address by which the browser reached the server. */
  readonly redirectUri?: string
  /** The label of the button. Default: the host of the issuer. */
  readonly label?: string
  /** Default `openid profile email`. */
  readonly scope?: string
  /** The login of the operator. Default: as for devices. */
  readonly login?: UserRules['login']
  /** Returns the role from the claims of the ID token; undefined refuses the sign-in. */
  readonly role: (claims: Claims) => ApiRole | undefined
}
