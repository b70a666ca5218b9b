import { API_ROLES, type ApiRole } from '../roles.js'
import { object, oneOf, type Schema, string } from '../schema.js'

/** An API user logs in. */
export interface AdminLogin {
  /** Of a user with another role than device. */
  readonly login: string
  /** Of that user. */
  readonly password: string
}

/** The answer with `Accept: application/json`; else the bare token as text. */
export interface AdminToken {
  /** Secret: sent in `X-Sync-API-TOKEN`. */
  readonly token: string
  /** ISO 8601 UTC. */
  readonly expires_at: string
  /** Whose token it is. */
  readonly login: string
  /** What it may do. */
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
