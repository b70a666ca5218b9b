import { object, type Schema, string } from '../schema.js'

/** Credentials of a device user. */
export interface DeviceLogin {
  /** The login of a user with the role `device`, or of one that the backend authenticates. */
  readonly login: string
  /** Checked by the backend if it authenticates users, otherwise against the stored hash. */
  readonly password: string
}

/** A session. The response also sets it as a cookie. */
export interface DeviceSession {
  /** As in the request. */
  readonly login: string
  /** Random and fixed for the lifetime of the user: changes on a device belong to this id, not to the login. */
  readonly user_id: string
  /** Secret; send it as `Authorization: Bearer <session>` or as the cookie. */
  readonly session: string
  /** ISO 8601 UTC. */
  readonly expires_at: string
}

export const deviceLoginSchema: Schema<DeviceLogin> = object<DeviceLogin>({
  login: string({ maxLength: 1024 }),
  password: string({ maxLength: 1024 }),
})

export const deviceSessionSchema: Schema<DeviceSession> = object<DeviceSession>({
  login: string(),
  user_id: string(),
  session: string(),
  expires_at: string(),
})
