import { API_ROLES, type ApiRole } from '../roles.js'
import { object, oneOf, type Schema, string } from '../schema.js'

/** Who is signed in, and until when. The secret is in a cookie that scripts cannot read, or in the token of the call. */
export interface AdminSession {
  /** Who is signed in. */
  readonly login: string
  /** What that user may do. */
  readonly role: ApiRole
  /** ISO 8601 UTC. */
  readonly expires_at: string
}

export const adminSessionSchema: Schema<AdminSession> = object<AdminSession>({
  login: string(),
  role: oneOf(...API_ROLES),
  expires_at: string(),
})
