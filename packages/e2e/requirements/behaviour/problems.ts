import { requirements } from '../requirement.js'

export const problems = requirements('behaviour.problems', {
  shape: { says: 'An error is application/problem+json with type, title, status, detail and code.', state: 'held' },
  status: { says: 'The member status of an error is the status of its answer.', state: 'held' },
  errors: { says: 'An error about several members of a body lists a path and a message for each.', state: 'held' },
  detail: { says: 'The detail of an error says what was expected and what came.', state: 'held' },
  'documented-codes': { says: 'The code of every error is one of the documented list.', state: 'held' },
  'empty-body': { says: 'A client of the API copes with an empty error body by the status alone.', state: 'held' },
  'malformed-json': { says: 'A body that is not JSON is refused with 400 malformed_json.', state: 'held' },
  'client-missing': {
    says: 'A device request without its client header is refused with 400 client_missing.',
    state: 'held',
  },
  'token-missing': { says: 'A call without the token is refused with 401 token_missing.', state: 'held' },
  'token-invalid': {
    says: 'A token that was never given or was revoked is refused with 401 token_invalid.',
    state: 'held',
  },
  'token-expired': { says: 'A token past its time is refused with 401 token_expired.', state: 'held' },
  'invalid-credentials': {
    says: 'A wrong login or password is refused with 401 invalid_credentials, the same for an unknown login.',
    state: 'held',
  },
  'session-missing': {
    says: 'A device request without a session is refused with 401 session_missing.',
    state: 'held',
  },
  'session-expired': { says: 'A session past its time is refused with 401 session_expired.', state: 'held' },
  'role-insufficient': {
    says: 'A call beyond the role of its token is refused with 403 role_insufficient.',
    state: 'held',
  },
  'not-your-client': {
    says: "A device that names another user's client is refused with 403 not_your_client.",
    state: 'held',
  },
  'not-a-device-user': {
    says: 'A device login of an API user is refused with 403 not_a_device_user.',
    state: 'held',
  },
  'not-an-api-user': { says: 'An API login of a device user is refused with 403 not_an_api_user.', state: 'held' },
  'reset-disabled': {
    says: 'A reset on a server that does not allow it is refused with 403 reset_disabled.',
    state: 'held',
  },
  'origin-not-allowed': {
    says: 'A request with a cookie and a foreign origin is refused with 403 origin_not_allowed.',
    state: 'held',
  },
  'user-not-found': { says: 'An unknown user is answered with 404 user_not_found.', state: 'held' },
  'client-not-found': { says: 'An unknown client is answered with 404 client_not_found.', state: 'held' },
  'source-not-found': { says: 'An unknown source is answered with 404 source_not_found.', state: 'held' },
  'document-not-found': { says: 'An unknown document is answered with 404 document_not_found.', state: 'held' },
  'metric-not-found': { says: 'An unknown metric is answered with 404 metric_not_found.', state: 'held' },
  'route-not-found': { says: 'An unknown path is answered with 404 route_not_found.', state: 'held' },
  'method-not-allowed': {
    says: 'A known path with another method is answered with 405 method_not_allowed.',
    state: 'held',
  },
  'user-exists': { says: 'Creating a user whose login is taken is refused with 409 user_exists.', state: 'held' },
  'kind-differs': {
    says: 'Appending a string to a map, or a map to a string, is refused with 409 kind_differs.',
    state: 'held',
  },
  'document-read-only': {
    says: 'Writing a read-only document is refused with 409 document_read_only.',
    state: 'held',
  },
  'mutation-gap': {
    says: 'A push whose mutations leave out a number is refused with 409 mutation_gap, which tells the number expected.',
    state: 'held',
  },
  'client-forked': {
    says: 'A known mutation number with another key is refused with 409 client_forked.',
    state: 'held',
  },
  'epoch-changed': { says: 'A push that names another epoch is refused with 409 epoch_changed.', state: 'held' },
  'blob-missing': {
    says: 'A push that names blobs whose bytes are not there is refused with 409 blob_missing, which lists them.',
    state: 'held',
  },
  'bulk-only': {
    says: 'A pull of a source that allows bulk sync only is refused with 409 bulk_only and a hint.',
    state: 'held',
  },
  'body-too-large': { says: 'A body over the limit is refused with 413 body_too_large.', state: 'held' },
  'unsupported-media-type': {
    says: 'A body of another content type is refused with 415 unsupported_media_type.',
    state: 'held',
  },
  'range-invalid': { says: 'A range outside of a blob is refused with 416 range_invalid.', state: 'held' },
  'body-invalid': { says: 'A body that does not fit its schema is refused with 422 body_invalid.', state: 'held' },
  'name-reserved': { says: 'A reserved name is refused with 422 name_reserved.', state: 'held' },
  'url-not-allowed': {
    says: 'An address that the server must not call is refused with 422 url_not_allowed.',
    state: 'held',
  },
  'value-not-allowed': {
    says: 'A value outside of the allowed ones is refused with 422 value_not_allowed.',
    state: 'held',
  },
  'quota-exceeded': {
    says: 'What is beyond a limit for each user or client is refused with 429 quota_exceeded and a Retry-After header.',
    state: 'held',
  },
  'too-many-attempts': {
    says: 'Too many failed logins are answered with 429 too_many_attempts and a Retry-After header.',
    state: 'held',
  },
  'too-many-attempts.failures-only': {
    says: 'Successful logins never lengthen a wait; they count in the rate of one login from one address alone.',
    state: 'held',
  },
  'too-many-attempts.places': {
    says: 'One login from one address takes a few places for passwords, and devices none of those of API users.',
    state: 'held',
  },
  'too-many-attempts.network': {
    says: 'Callers are counted by IPv4 address or IPv6 /64, in any spelling, with or without a port.',
    state: 'held',
  },
  'too-many-attempts.per-login': {
    says: 'A login that fails from many addresses is slowed down to one try in ten seconds, but not where it was right lately.',
    state: 'held',
  },
  'too-many-attempts.shared': {
    says: 'All processes of a store count failed logins together.',
    state: 'held',
  },
  'body-too-large.login': { says: 'A login of more than 16 KiB is refused with 413.', state: 'held' },
  'backend-failed': { says: 'A backend that fails a login is answered with 502 backend_failed.', state: 'held' },
  'backend-timeout': {
    says: 'A backend that does not answer a login in time is answered with 504 backend_timeout.',
    state: 'held',
  },
  'store-unavailable': {
    says: 'While the store cannot be reached calls are answered with 503 store_unavailable.',
    state: 'held',
  },
  'last-admin': { says: 'The last admin can neither be deleted nor get another role: 409 last_admin.', state: 'held' },
})
