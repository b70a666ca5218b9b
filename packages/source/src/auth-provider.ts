import type { ApiRole, Attributes } from '@godwit/protocol'
import type { GuardedFetch } from './guarded-fetch.js'

/** Accepts logins with passwords. */
export interface PasswordProvider {
  readonly kind: 'passwords'
}

/** The claims of a verified token, by name. */
export interface Claims {
  readonly [name: string]: unknown
}

/** One entry of the server's `auth` option. */
export type AuthProvider = PasswordProvider | TokenProvider

/** Accepts tokens of one issuer. The server opens it when it starts. */
export interface TokenProvider {
  readonly kind: 'tokens'
  /** The `iss` claim of the tokens. */
  readonly issuer: string
  open(tools: ProviderTools): TokenVerifier
}

/** What the server provides to a provider. */
export interface ProviderTools {
  /** Sends a request to an allowed address only. */
  readonly fetch: GuardedFetch
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Random text of 128 bits or more. */
  readonly randomId: () => string
  readonly log: { warn(facts: object, message: string): void }
}

/** Verifies tokens of one issuer. */
export interface TokenVerifier {
  readonly issuer: string
  /** True if the token says that it comes from this issuer, which is not verified yet. */
  accepts(token: string): boolean
  /**
   * Verifies a token and returns its user. Throws `token_invalid` or `token_expired`; `too_many_attempts` for a key that cannot be fetched yet;
   * `backend_failed` if the keys cannot be fetched.
   */
  verify(token: string): Promise<VerifiedUser>
  /** Fetches the keys again and returns how many there are, for checks by operators. */
  checkKeys(): Promise<number>
  /** Sign-in of operators in the console; undefined if it is not configured. */
  readonly console: ConsoleSignIn | undefined
}

/** The user of a verified token. */
export interface VerifiedUser {
  readonly issuer: string
  /** The `sub` claim, which never changes for a person. */
  readonly subject: string
  readonly login: string
  /** Attributes from claims; `null` for a configured claim that the token does not have. */
  readonly attributes: Attributes
  /** When the token expires, in milliseconds since 1970. */
  readonly expiresAt: number
}

/** The authorization code flow with PKCE. */
export interface ConsoleSignIn {
  /** The label of the button: Sign in with … */
  readonly label: string
  /** Starts a sign-in. */
  begin(redirectUri: string): Promise<SignInRequest>
  /** Redeems the code of the callback. `role`: undefined if the claims give none. */
  finish(callback: SignInCallback): Promise<VerifiedUser & { readonly role: ApiRole | undefined }>
}

/** A started sign-in. All but the URL stays in a cookie of the browser until the callback. */
export interface SignInRequest {
  /** Where the browser goes. */
  readonly url: string
  readonly state: string
  readonly nonce: string
  /** The PKCE code verifier. */
  readonly verifier: string
}

/** What the browser brings back, and what its cookie kept. */
export interface SignInCallback extends Pick<SignInRequest, 'nonce' | 'verifier'> {
  readonly code: string
  readonly redirectUri: string
}
