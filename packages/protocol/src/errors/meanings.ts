import type { ErrorCode } from './codes.js'

/** What each error code means, and the action to take. `docs/errors.md` is generated from this table. */
export const ERROR_CODES: { readonly [Code in ErrorCode]: string } = {
  // Invalid requests
  malformed_json: 'The body is not JSON. Send one JSON value with the content type application/json.',
  client_missing:
    'The header X-Sync-CLIENT-ID is missing. Create a client with POST /rc/v1/clients and name it in every pull and push.',
  body_too_large: 'The body is over the limit of this route. Send it in smaller parts.',
  unsupported_media_type:
    'The content type is not one that this route reads. Send application/json, or application/octet-stream where bytes are expected.',
  range_invalid: 'The requested range of bytes does not exist.',
  body_invalid:
    'A member of the body, query or path has the wrong type or is missing; `errors` lists paths and what was expected.',
  name_reserved: 'This name cannot be used for this purpose.',
  url_not_allowed: 'The address is not one that the server may call.',
  value_not_allowed: 'The value is readable but not allowed here; the detail lists what is.',
  // Authentication, permissions and limits
  token_missing:
    'The token is missing. Send X-Sync-API-TOKEN (from POST /rc/v1/system/login), or the bearer token of /metrics.',
  token_invalid:
    'The token is unknown, was revoked, or does not fit what this server accepts. Log in again, or use the configured token of /metrics.',
  token_expired: 'The token has expired. Log in again.',
  invalid_credentials: 'Login or password is wrong.',
  session_missing: 'The session is missing, unknown or was revoked. Log in with POST /rc/v1/app/login.',
  session_expired: 'The session has expired. Log in again.',
  role_insufficient: 'The role of this token does not include this route.',
  not_your_client: 'The client belongs to another user.',
  partition_not_allowed:
    'The user may not see this partition of the source. Other partitions are not affected; the device removes its rows and keeps its unsent changes.',
  not_a_device_user: 'This user has an API role and no device login.',
  not_an_api_user: 'This user has the role device and no API login.',
  user_locked: 'The user is locked. An admin can unlock it.',
  reset_disabled: 'Reset is disabled on this server (SYNC_ALLOW_RESET).',
  origin_not_allowed: 'A request with a session cookie came from a page of another origin.',
  too_many_attempts: 'Too many login attempts. Wait the number of seconds in Retry-After.',
  quota_exceeded:
    'A limit per user or client is reached; the detail says which one, and how to free some of it. Wait the number of seconds in Retry-After.',
  // Missing resources
  user_not_found: 'No user has this login.',
  client_not_found: 'No client has this id. The device creates a new one.',
  source_not_found: 'No source has this name.',
  document_not_found: 'No document has this name.',
  file_not_found:
    'The file does not exist: no object of this user names the blob, its upload is not complete, or the bulk file was replaced.',
  token_not_found: 'No API token that the caller may see has this id.',
  session_not_found: 'The user has no session of this id. It may have ended meanwhile.',
  mutation_not_found:
    'The journal has no mutation with this id. Mutations are deleted once they are decided and acknowledged.',
  metric_not_found: 'No metric has this key.',
  route_not_found: 'No route has this path.',
  method_not_allowed: 'The path exists, but not with this method; the header Allow lists those it has.',
  // Conflicts with the current state
  user_exists: 'A user of this login exists already, or the login of a token belongs to another user.',
  last_admin: 'The user is the only admin. Make another user an admin first.',
  kind_differs: 'The document is of the other kind (text or object map); nothing was changed.',
  document_read_only: 'This document is computed by the server and cannot be written.',
  mutation_gap: 'The mutation numbers have a gap; `expected` is the next number. The device takes a new client id.',
  client_forked:
    'The journal has other mutations with these numbers: two copies of one device exist. The device takes a new client id.',
  epoch_changed:
    'The collection was created again after the epoch that the push names; `epoch` is the current one. The device pulls first.',
  blob_missing:
    'The push names blobs whose bytes are not on the server; `hashes` lists them, and nothing was accepted. The device sends them and repeats the push.',
  bulk_only: 'The source is bulk_only and does not support pulls. Request bulk data.',
  // Backend, store and server failures
  backend_failed: 'The backend failed. It may or may not have applied the change.',
  cursor_gone:
    'The backend no longer knows the cursor of its changes. The server reads everything again by itself; nothing has to be done.',
  backend_timeout: 'The backend did not respond in time. It may or may not have applied the change.',
  removals_pending:
    'A query would remove too many objects: they stay until a later query or an operator confirms the removals. Everything else is up to date.',
  store_unavailable: 'The store cannot be reached. Try again.',
  internal: 'The server failed. Its log says why.',
  // Outcomes of mutations
  refused: 'The source refused the mutation, with this message.',
  conflict:
    'The object has changed on the server since this device saw it, and the policy of the source keeps the state of the server.',
  gone: 'The object was removed on the server.',
  operation_not_supported: 'The source has no method for this operation.',
  depends_on_refused: 'The mutation names an object whose creation was refused or is unknown.',
  blobs_lost:
    'The mutation names a blob that is not on the server and that the device cannot send. Nothing was done. Make the change again with another file.',
  discarded: 'An operator discarded the mutation.',
  in_doubt:
    'The backend was called, but its response never arrived: the change may have been applied. An operator decides.',
  // Errors on the device
  offline: 'The server cannot be reached. Local data remains available. Try again when there is a network.',
  logged_out: 'No user is logged in on this device. Call login first.',
  unsent_changes:
    'The previous user, `details.login`, has `details.count` unsent changes on this device. Log in as that user to send them, or pass { discard: true } to discard them.',
  device_locked: 'Another process uses this device directory for sync.',
  sdk_closed: 'This SDK was closed.',
  device_moved:
    'Another tab or thread now owns the device, and it is unknown whether the call was done. Logins, resets, syncs and searches are never repeated automatically.',
  owner_silent:
    'The thread that owns the device did not respond in time; the call may have been done. Repeat it with repeat(error), which does it only once.',
  user_changed: 'The user who is logged in on this device is not the one that the page shows. Nothing was done.',
  call_unfinished:
    'The device stopped during the call, and only some of its files have the result; or the call is so old that its record was deleted. Check the rows before you call again.',
  reload_needed:
    'A newer release of the app uses this device or has used it, or another process has migrated the model. Reload the page, or install the newer release.',
  action_failed: 'The action threw an error; nothing was stored. `details` has its name and message.',
  model_unknown: 'No model has this name.',
  definition_invalid: 'The definition of the model has an unknown setting or a value that is not allowed.',
  attribute_unknown: 'The model is frozen and has no such attribute; nothing was stored.',
  record_invalid: 'A new object lacks what its model requires, or a change removes it; nothing was stored.',
  attribute_invalid: 'The value does not fit the declared type of the attribute; nothing was stored.',
  name_not_allowed: 'The name is reserved or empty.',
  query_invalid: 'The conditions or options of the query cannot be read; the message says which.',
  sql_timeout:
    'The SQL took longer than sqlTimeoutMilliseconds of this device, or of the call, allows; it was ended and nothing was changed. Read less at a time, add an index, or raise the limit.',
  not_unique: 'Another object has these values in a unique index; nothing was stored.',
  action_unknown: 'The action is not one of those this handler takes.',
  checksum_differs:
    'The rows of a source on this device do not match the server, even after a repair. The next sync tries again.',
  schema_newer:
    'A newer version of the app migrated the model to a schema that this version does not know. Its rows can be read and continue to sync, but nothing was stored. Install the newer version again.',
  database_failed: 'The local database failed.',
  storage_full:
    'The device is out of disk space: what did not fit was not stored, and pulls stop. Waiting changes are still sent. Free some space.',
  storage_lost:
    'The browser removed the data of this device. The message says how many unsent changes were lost. Log in and sync to load the rest again.',
  encryption_key_wrong:
    'The files of this device were made with another encryption key, or without one; nothing was changed.',
}
