/** Carries the API token of an admin, operator, plugin or reader. */
export const API_TOKEN_HEADER = 'X-Sync-API-TOKEN'

/** The id of the client (device) that pulls or pushes. */
export const CLIENT_ID_HEADER = 'X-Sync-CLIENT-ID'

/** `1` on a pull that an event caused. A source that is queried at every pull is not queried for this one. */
export const HINT_HEADER = 'X-Sync-HINT'

/** The query string of a request whose URL has none, in the same notation. Browsers then send one CORS preflight request for all such requests. */
export const QUERY_HEADER = 'X-Sync-QUERY'

/** The cookie of a device's session in browsers; other devices send `Authorization: Bearer <session>`. */
export const SESSION_COOKIE = 'sync_session'

/** The cookie of a console page's session: HttpOnly and SameSite. */
export const CONSOLE_COOKIE = 'sync_console'

/** The signature of a call to a plugin backend: `t=<Unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`. */
export const BACKEND_SIGNATURE_HEADER = 'X-Sync-SIGNATURE'

/** The idempotency key of a write to a plugin backend: the same for all attempts at one mutation, unique among mutations. */
export const IDEMPOTENCY_KEY_HEADER = 'Idempotency-Key'

/** The content type of error responses: RFC 9457. */
export const PROBLEM_TYPE = 'application/problem+json'
