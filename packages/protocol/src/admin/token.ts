import { API_ROLES, type ApiRole } from '../roles.js'
import { boolean, list, object, oneOf, optional, type Schema, string } from '../schema.js'

/** An API token as its owner or an admin may see it. The token itself is given out once, at the login. */
export interface TokenInfo {
  /** Names the token and opens nothing. */
  readonly id: string
  /** Whose it is. */
  readonly login: string
  /** What it may do. */
  readonly role: ApiRole
  /** True: it is the session of a console's page. */
  readonly console?: boolean
  /** ISO 8601 UTC. */
  readonly created_at: string
  /** ISO 8601 UTC. */
  readonly expires_at: string
  /** To the minute, ISO 8601 UTC. Absent: not used since its first minute. */
  readonly last_used?: string
}

/** Whose tokens: one's own by default, and for an admin everybody's. */
export interface TokenList {
  /** Those of this login. Another than one's own: admins only. */
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
