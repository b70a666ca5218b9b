import { API_ROLES, type ApiRole } from '../roles.js'
import { object, oneOf, type Schema, string } from '../schema.js'

/** Credentials of an API user. */
export interface AdminLogin {
  /** The login of a user whose role is not `device`. */
  readonly login: string
  /** The password of that user. */
  readonly password: string
}

/** The response to a login with `Accept: application/json`; without it, the bare token as text. */
export interface AdminToken {
  /** Secret; send it in `X-Sync-API-TOKEN`. */
  readonly token: string
  /** ISO 8601 UTC. */
  readonly expires_at: string
  /** The owner of the token. */
  readonly login: string
  /** The owner's role. */
  readonly role: ApiRole
}

export const adminLoginSchema: Schema<AdminLogin> = object<AdminLogin>({
  login: string({ maxLength: 1024 }),
  password: string({ maxLength: 1024 }),
})

export const adminTokenSchema: Schema<AdminToken> = object<AdminToken>({
  token: string(),
  expires_at: string(),
  login: string(),
  role: oneOf(...API_ROLES),
})
