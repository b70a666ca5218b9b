/**
 * Roles that may call routes.
 *
 * - `open`: any caller, without authentication.
 * - `device`: a session of a device user; sees only its own partitions and clients.
 * - `reader`: every GET under /rc/v1, except other users' tokens, the audit log and the backend's secret.
 * - `operator`: reader, and documents, clients, read state, sources, ping, a user's free attributes, jobs, mutations.
 * - `plugin`: a backend: push_*, fast_*, ping, GET sources, GET and POST appserver.
 * - `admin`: every route except those of devices.
 */
export const ROLES = ['open', 'device', 'reader', 'operator', 'plugin', 'admin'] as const
/** A role that may call routes. */
export type Role = (typeof ROLES)[number]

/** All roles of API users. */
export const API_ROLES = ['reader', 'operator', 'plugin', 'admin'] as const
/** A role of an API user. */
export type ApiRole = (typeof API_ROLES)[number]

/** All roles of user records. */
export const USER_ROLES = ['device', ...API_ROLES] as const
/** The role of a user record: `device` or an API role. */
export type UserRole = (typeof USER_ROLES)[number]

const INCLUDES: { readonly [Each in Role]: readonly Role[] } = {
  open: ['open'],
  device: ['open', 'device'],
  reader: ['open', 'reader'],
  operator: ['open', 'reader', 'operator'],
  plugin: ['open', 'plugin'],
  admin: ['open', 'reader', 'operator', 'plugin', 'admin'],
}

/** True if a caller with this role may call a route that admits the roles `wanted`. */
export function mayCall(role: Role, wanted: readonly Role[]): boolean {
  return wanted.some(admitted => INCLUDES[role].includes(admitted))
}
