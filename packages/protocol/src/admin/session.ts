import { API_ROLES, type ApiRole } from '../roles.js'
import { object, oneOf, type Schema, string } from '../schema.js'

/** The signed-in API user and the end of the session. The secret is in a cookie that scripts cannot read, or in the token of the request. */
export interface AdminSession {
  /** The login of the user. */
  readonly login: string
  /** The role of the user. */
  readonly role: ApiRole
  /** ISO 8601 UTC. */
  readonly expires_at: string
}

export const adminSessionSchema: Schema<AdminSession> = object<AdminSession>({
  login: string(),
  role: oneOf(...API_ROLES),
  expires_at: string(),
})
