import { object, optional, type Schema, string } from '../schema.js'

/** Credentials of a device user: login and password, or a token. */
export interface DeviceLogin {
  /** The login of a user with the role `device`, or of one that the backend authenticates. */
  readonly login?: string
  /** Checked by the backend if it authenticates users, otherwise against the stored hash. */
  readonly password?: string
  /** A token of an identity provider that the server accepts, alone. The session ends when the token does. */
  readonly token?: string
}

/** A session. The response also sets it as a cookie. */
export interface DeviceSession {
  /** The login of the user, as in the request or as the token gives it. */
  readonly login: string
  /** Random and fixed for the lifetime of the user: changes on a device belong to this id, not to the login. */
  readonly user_id: string
  /** Secret; send it as `Authorization: Bearer <session>` or as the cookie. */
  readonly session: string
  /** ISO 8601 UTC. */
  readonly expires_at: string
}

export const deviceLoginSchema: Schema<DeviceLogin> = object<DeviceLogin>({
  login: optional(string({ maxLength: 1024 })),
  password: optional(string({ maxLength: 1024 })),
  token: optional(string({ minLength: 1, maxLength: 12_288 })),
})

export const deviceSessionSchema: Schema<DeviceSession> = object<DeviceSession>({
  login: string(),
  user_id: string(),
  session: string(),
  expires_at: string(),
})
