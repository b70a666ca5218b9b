import type { Attributes } from '../object-map.js'
import { attributesSchema } from '../object-map-schema.js'
import { USER_ROLES, type UserRole } from '../roles.js'
import { boolean, integer, list, object, oneOf, optional, type Schema, string } from '../schema.js'

/** A new user. */
export interface UserCreate {
  /** `login` and `password`, and any further attributes of the user. */
  readonly attributes: Attributes
  /** `device` (default) for people with devices; another for API users. */
  readonly role?: UserRole
  /** A hash of the password instead of `attributes.password`: `scrypt$N$r$p$salt$key` as the server itself keeps it, or `$scrypt$ln=…,r=…,p=…$salt$key`; salt and key in Base64. */
  readonly password_hash?: string
}

/** Many new users at once. */
export interface UsersCreate {
  /** At most 1,000; each login once. */
  readonly users: readonly UserCreate[]
}

/** What became of them. */
export interface UsersCreated {
  /** Logins that were made, in the order given. */
  readonly created: readonly string[]
  /** Logins that existed already: nothing was changed of them. */
  readonly existing: readonly string[]
}

/** The user was made. */
export interface UserCreated {
  /** Of the new user. */
  readonly login: string
}

/** Changes of a user. */
export interface UserUpdate {
  /** Merged into the user's free attributes; `null` removes one; `password` sets the password and ends all sessions. */
  readonly attributes?: Attributes
  /** By admins only. */
  readonly role?: UserRole
  /** By admins only. True: ends all sessions and tokens, and no login succeeds until it is false again. */
  readonly locked?: boolean
}

/** A user as others may see it: never the hash of the password. */
export interface User {
  /** Names the user in paths, and to devices. */
  readonly login: string
  /** What the user may do. */
  readonly role: UserRole
  /** No login succeeds. */
  readonly locked: boolean
  readonly attributes: Attributes
  /** How many clients (devices) the user has. */
  readonly clients: number
  /** ISO 8601 UTC. */
  readonly created_at: string
}

/** Which users. */
export interface UserList {
  /** Which users: default `device`. */
  readonly role?: UserRole
  /** Logins behind this one. */
  readonly after?: string
  /** Default: all of them. */
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
