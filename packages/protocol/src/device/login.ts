import { object, type Schema, string } from '../schema.js'

/** A device user logs in. */
export interface DeviceLogin {
  /** Of a user with the role device, or one that the backend knows. */
  readonly login: string
  /** Checked by the backend where there is one, else against the registry. */
  readonly password: string
}

/** The answer also sets the session cookie. */
export interface DeviceSession {
  /** As it was given. */
  readonly login: string
  /** Random, for the life of the user: changes made on a device belong to it, not to the login. */
  readonly user_id: string
  /** Secret: sent as `Authorization: Bearer <session>` or as the cookie. */
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
