import type { Attributes } from '../object-map.js'
import { attributesSchema } from '../object-map-schema.js'
import { USER_ROLES, type UserRole } from '../roles.js'
import { boolean, integer, list, object, oneOf, optional, type Schema, string } from '../schema.js'

/** A new user. */
export interface UserCreate {
  /** `login`, `password` and any other attributes of the user. */
  readonly attributes: Attributes
  /** `device` (default) for users of devices; any other for API users. */
  readonly role?: UserRole
  /**
   * A password hash that replaces `attributes.password`: `scrypt$N$r$p$salt$key`, the server's format, or `$scrypt$ln=…,r=…,p=…$salt$key`; salt and
   * key in Base64.
   */
  readonly password_hash?: string
}

/** Several new users. */
export interface UsersCreate {
  /** At most 1,000, each login once. */
  readonly users: readonly UserCreate[]
}

/** The result of creating several users. */
export interface UsersCreated {
  /** Logins of the users created, in the order of the request. */
  readonly created: readonly string[]
  /** Logins that already existed; these users were not changed. */
  readonly existing: readonly string[]
}

/** A user was created. */
export interface UserCreated {
  /** The login of the new user. */
  readonly login: string
}

/** Changes to a user. */
export interface UserUpdate {
  /** Merged into the user's free attributes; `null` removes one; `password` sets the password and ends all sessions. */
  readonly attributes?: Attributes
  /** Requires the role admin. */
  readonly role?: UserRole
  /** Requires the role admin. True ends all sessions and tokens and refuses logins until it is set to false. */
  readonly locked?: boolean
}

/** A user, without the password hash. */
export interface User {
  /** The login identifies the user in paths and on devices. */
  readonly login: string
  /** The role of the user. */
  readonly role: UserRole
  /** True if logins are refused. */
  readonly locked: boolean
  readonly attributes: Attributes
  /** The number of the user's clients (devices). */
  readonly clients: number
  /** ISO 8601 UTC. */
  readonly created_at: string
}

/** Selects users. */
export interface UserList {
  /** The role of the users. Default `device`. */
  readonly role?: UserRole
  /** Returns logins after this one. */
  readonly after?: string
  /** The maximum number of users. Default: all of them. */
  readonly limit?: number
}

export const userCreateSchema: Schema<UserCreate> = object<UserCreate>({
  attributes: attributesSchema,
  role: optional(oneOf(...USER_ROLES)),
  password_hash: optional(string({ maxLength: 512 })),
})
export const usersCreateSchema: Schema<UsersCreate> = object<UsersCreate>({
  users: list(userCreateSchema, { maxItems: 1000 }),
})
export const usersCreatedSchema: Schema<UsersCreated> = object<UsersCreated>({
  created: list(string()),
  existing: list(string()),
})
export const userCreatedSchema: Schema<UserCreated> = object<UserCreated>({ login: string() })
export const userUpdateSchema: Schema<UserUpdate> = object<UserUpdate>(
  { attributes: optional(attributesSchema), role: optional(oneOf(...USER_ROLES)), locked: optional(boolean) },
  { closed: true },
)
export const userSchema: Schema<User> = object<User>({
  login: string(),
  role: oneOf(...USER_ROLES),
  locked: boolean,
  attributes: attributesSchema,
  clients: integer({ minimum: 0 }),
  created_at: string(),
})
export const usersSchema: Schema<readonly User[]> = list(userSchema)
export const userListSchema: Schema<UserList> = object<UserList>({
  role: optional(oneOf(...USER_ROLES)),
  after: optional(string()),
  limit: optional(integer({ minimum: 1, maximum: 1000 })),
})
export const namesSchema: Schema<readonly string[]> = list(string())
