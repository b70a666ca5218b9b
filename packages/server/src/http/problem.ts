import {
  ERROR_CODES,
  type ErrorCode,
  isSyncError,
  PROBLEM_TYPE,
  type Problem,
  type ProblemPart,
  SyncError,
} from '@godwit/protocol'
import { messageOf } from '@godwit/source'
import type { HttpEngine } from './http-engine.js'
import type { HttpReply } from './http-request.js'

/** The status of every code; codes that occur only on a device or in outcomes have 500. */
const STATUS: { readonly [Code in ErrorCode]: number } = {
  malformed_json: 400,
  client_missing: 400,
  body_too_large: 413,
  unsupported_media_type: 415,
  range_invalid: 416,
  body_invalid: 422,
  name_reserved: 422,
  url_not_allowed: 422,
  value_not_allowed: 422,
  token_missing: 401,
  token_invalid: 401,
  token_expired: 401,
  invalid_credentials: 401,
  session_missing: 401,
  session_expired: 401,
  role_insufficient: 403,
  not_your_client: 403,
  partition_not_allowed: 403,
  not_a_device_user: 403,
  not_an_api_user: 403,
  user_locked: 403,
  reset_disabled: 403,
  origin_not_allowed: 403,
  too_many_attempts: 429,
  quota_exceeded: 429,
  user_not_found: 404,
  client_not_found: 404,
  source_not_found: 404,
  document_not_found: 404,
  file_not_found: 404,
  token_not_found: 404,
  session_not_found: 404,
  mutation_not_found: 404,
  metric_not_found: 404,
  route_not_found: 404,
  method_not_allowed: 405,
  user_exists: 409,
  last_admin: 409,
  kind_differs: 409,
  document_read_only: 409,
  mutation_gap: 409,
  client_forked: 409,
  epoch_changed: 409,
  blob_missing: 409,
  bulk_only: 409,
  backend_failed: 502,
  backend_timeout: 504,
  cursor_gone: 502,
  removals_pending: 500,
  store_unavailable: 503,
  internal: 500,
  refused: 500,
  conflict: 500,
  gone: 500,
  operation_not_supported: 500,
  depends_on_refused: 500,
  blobs_lost: 500,
  discarded: 500,
  in_doubt: 500,
  offline: 500,
  logged_out: 500,
  unsent_changes: 500,
  device_locked: 500,
  sdk_closed: 500,
  device_moved: 500,
  owner_silent: 500,
  user_changed: 500,
  call_unfinished: 500,
  reload_needed: 500,
  action_failed: 500,
  model_unknown: 500,
  definition_invalid: 500,
  attribute_unknown: 500,
  record_invalid: 500,
  attribute_invalid: 500,
  name_not_allowed: 500,
  query_invalid: 500,
  sql_timeout: 500,
  not_unique: 500,
  action_unknown: 500,
  checksum_differs: 500,
  schema_newer: 500,
  database_failed: 500,
  storage_full: 500,
  storage_lost: 500,
  encryption_key_wrong: 500,
}

/** Returns the HTTP status of an error code; 500 for codes that no response carries. */
export const statusOf = (code: ErrorCode): number => STATUS[code]

/** Returns an error as a response. Known errors are shown; any other is logged under an id, and the response contains only the id. */
export function problemReply(error: unknown, engine: Pick<HttpEngine, 'log' | 'randomId'>): HttpReply {
  const known = isSyncError(error) && STATUS[error.code] !== 500 ? error : logUnexpected(error, engine)
  const status = STATUS[known.code]
  if (status > 500) {
    const cause = known.cause === undefined ? {} : { cause: messageOf(known.cause) }
    engine.log.warn({ code: known.code, ...cause }, known.message)
  }
  return {
    status,
    headers: { 'content-type': PROBLEM_TYPE, ...headersOf(known) },
    body: JSON.stringify(problemOf(known, status)),
  }
}

function logUnexpected(error: unknown, { log, randomId }: Pick<HttpEngine, 'log' | 'randomId'>): SyncError {
  const id = randomId()
  log.error(
    { id, error: messageOf(error), stack: error instanceof Error ? error.stack : undefined },
    'a request failed',
  )
  return new SyncError('internal', `The server failed. Its log has the cause, with the id ${id}.`)
}

function problemOf({ code, message, details }: SyncError, status: number): Problem {
  return {
    type: `/docs/errors#${code}`,
    title: (ERROR_CODES[code].split('. ')[0] ?? code).replace(/\.$/, ''),
    status,
    detail: message,
    code,
    ...(Array.isArray(details['errors']) && { errors: details['errors'] as readonly ProblemPart[] }),
    ...(typeof details['expected'] === 'number' && { expected: details['expected'] }),
    ...(typeof details['epoch'] === 'string' && { epoch: details['epoch'] }),
    ...(Array.isArray(details['hashes']) && { hashes: details['hashes'] as readonly string[] }),
    ...(code === 'quota_exceeded' && typeof details['limit'] === 'string' && { limit: details['limit'] }),
  }
}

function headersOf({ code, details }: SyncError): { readonly [name: string]: string } {
  if (code === 'method_not_allowed') return { allow: String(details['allow']) }
  if (STATUS[code] === 429) return { 'retry-after': String(details['retryAfter'] ?? 1) }
  if (code === 'range_invalid') return { 'content-range': `bytes */${String(details['size'] ?? '*')}` }
  if (STATUS[code] !== 401) return {}
  if (code.startsWith('session_')) return { 'www-authenticate': 'Bearer realm="godwit"' }
  if (code.startsWith('token_')) return { 'www-authenticate': 'X-Sync-API-TOKEN realm="godwit"' }
  return {}
}
