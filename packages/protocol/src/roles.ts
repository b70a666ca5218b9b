/**
 * Who may call a route.
 *
 * - `open`: anybody.
 * - `device`: a session of a device user; sees its own partitions and clients only.
 * - `reader`: every GET under /rc/v1, but for others' tokens and the audit.
 * - `operator`: reader, and documents, clients, read state, sources, ping, a user's free attributes, jobs, mutations.
 * - `plugin`: a backend: push_*, fast_*, ping, GET sources, GET and POST appserver.
 * - `admin`: every route but those of devices.
 */
export const ROLES = ['open', 'device', 'reader', 'operator', 'plugin', 'admin'] as const
/** Who may call a route. */
export type Role = (typeof ROLES)[number]

/** The roles an API user can have. */
export const API_ROLES = ['reader', 'operator', 'plugin', 'admin'] as const
/** A role of an API user. */
export type ApiRole = (typeof API_ROLES)[number]

/** Every role a user record can have. */
export const USER_ROLES = ['device', ...API_ROLES] as const
/** The role of a user record: `device`, or that of an API user. */
export type UserRole = (typeof USER_ROLES)[number]

const INCLUDES: { readonly [Held in Role]: readonly Role[] } = {
  open: ['open'],
  device: ['open', 'device'],
  reader: ['open', 'reader'],
  operator: ['open', 'reader', 'operator'],
  plugin: ['open', 'plugin'],
  admin: ['open', 'reader', 'operator', 'plugin', 'admin'],
}

/** Whether somebody who holds `held` may call a route that is open to `wanted`. */
export function mayCall(held: Role, wanted: readonly Role[]): boolean {
  return wanted.some(role => INCLUDES[held].includes(role))
}
