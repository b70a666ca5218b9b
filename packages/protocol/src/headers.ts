/** Carries the API token of an admin, operator, plugin or reader. */
export const API_TOKEN_HEADER = 'X-Sync-API-TOKEN'

/** Names the client (device) that pulls or pushes. */
export const CLIENT_ID_HEADER = 'X-Sync-CLIENT-ID'

/** On a pull: `1`, the device was told that something changed. A source that is asked at every pull is not asked for this one. */
export const HINT_HEADER = 'X-Sync-HINT'

/** Carries the query of a call whose address bears none, written as there: pages of other origins ask for leave once per address. */
export const QUERY_HEADER = 'X-Sync-QUERY'

/** Carries a device's session in browsers; other devices send `Authorization: Bearer <session>`. */
export const SESSION_COOKIE = 'sync_session'

/** Carries the session of a console's page: HttpOnly, and never beyond its own site. */
export const CONSOLE_COOKIE = 'sync_console'

/** On calls of a plugin backend: `t=<Unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`. */
export const BACKEND_SIGNATURE_HEADER = 'X-Sync-SIGNATURE'

/** On writes to a plugin backend: the same for every attempt at one mutation, and for no other. */
export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key'

/** The content type of errors: RFC 9457. */
export const PROBLEM_TYPE = 'application/problem+json'
