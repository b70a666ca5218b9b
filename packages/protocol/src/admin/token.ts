import { API_ROLES, type ApiRole } from '../roles.js'
import { boolean, list, object, oneOf, optional, type Schema, string } from '../schema.js'

/** An API token without its secret, which only the login returns. */
export interface TokenInfo {
  /** Identifies the token; it grants no access. */
  readonly id: string
  /** The owner of the token. */
  readonly login: string
  /** The owner's role. */
  readonly role: ApiRole
  /** True for the session of a console page. */
  readonly console?: boolean
  /** ISO 8601 UTC. */
  readonly created_at: string
  /** ISO 8601 UTC. */
  readonly expires_at: string
  /** Time of the last use, to the minute, ISO 8601 UTC. Absent if not used since its first minute. */
  readonly last_used?: string
}

/** Selects tokens. Default: the caller's tokens, or all tokens for an admin. */
export interface TokenList {
  /** Only tokens of this login. Other users' tokens require the role admin. */
  readonly login?: string
}

export const tokenListSchema: Schema<TokenList> = object<TokenList>({ login: optional(string()) })
export const tokenInfosSchema: Schema<readonly TokenInfo[]> = list(
  object<TokenInfo>({
    id: string(),
    login: string(),
    role: oneOf(...API_ROLES),
    console: optional(boolean),
    created_at: string(),
    expires_at: string(),
    last_used: optional(string()),
  }),
)
