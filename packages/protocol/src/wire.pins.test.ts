import { expect, test } from '@jest/globals'
import { DEFAULT_PAGE_SIZE, MAX_BLOB_UPLOAD, MAX_MUTATIONS, MAX_PAGE_SIZE, MAX_PUSH_BYTES } from './device/limits.js'
import { ERROR_CODES, RETRYABLE_CODES } from './errors/codes.js'
import { problemSchema } from './errors/problem.js'
import * as headers from './headers.js'
import { MAX_BODY_DEPTH, MAX_ID_BYTES } from './object-map.js'
import type { RouteLine } from './route.js'
import { routes } from './routes.js'
import { schemas } from './schemas.js'
import { PROTOCOL_VERSION } from './version.js'
import { pinnedSchemas } from './wire.pins.js'

/**
 * What others rely on, spelled out. A change here is a change of the contract: devices and scripts of yesterday meet it.
 * Additions go in; anything else needs a new version, with a line of its history in version.ts.
 */
test('version', () => {
  expect(PROTOCOL_VERSION).toBe(4)
})

test('headers', () => {
  expect({ ...headers }).toEqual({
    API_TOKEN_HEADER: 'X-Sync-API-TOKEN',
    CLIENT_ID_HEADER: 'X-Sync-CLIENT-ID',
    HINT_HEADER: 'X-Sync-HINT',
    SESSION_COOKIE: 'sync_session',
    CONSOLE_COOKIE: 'sync_console',
    BACKEND_SIGNATURE_HEADER: 'X-Sync-SIGNATURE',
    IDEMPOTENCY_KEY_HEADER: 'Idempotency-Key',
    PROBLEM_TYPE: 'application/problem+json',
  })
})

test('limits', () => {
  expect({
    MAX_BODY_DEPTH,
    MAX_ID_BYTES,
    MAX_MUTATIONS,
    MAX_PUSH_BYTES,
    MAX_BLOB_UPLOAD,
    DEFAULT_PAGE_SIZE,
    MAX_PAGE_SIZE,
  }).toEqual({
    MAX_BODY_DEPTH: 1000,
    MAX_ID_BYTES: 1024,
    MAX_MUTATIONS: 500,
    MAX_PUSH_BYTES: 1_048_576,
    MAX_BLOB_UPLOAD: 1_048_576,
    DEFAULT_PAGE_SIZE: 500,
    MAX_PAGE_SIZE: 10_000,
  })
})

test('routes', () => {
  const lines = Object.entries(routes).flatMap(([group, table]) =>
    Object.entries<RouteLine>(table).map(
      ([name, { method, path, roles, client, bodyOptional, bytes }]) =>
        `${group}.${name}: ${method} ${path} ${roles}${client ? ' client' : ''}${bodyOptional ? ' body?' : ''}${bytes ? ' bytes' : ''}`,
    ),
  )
  expect(lines).toEqual([
    'clients.list: GET /rc/v1/clients reader',
    'clients.get: GET /rc/v1/clients/<client_id> reader',
    'clients.page: GET /rc/v1/system/clients reader',
    'clients.sources: GET /rc/v1/clients/<client_id>/sources reader',
    'clients.documentNames: GET /rc/v1/clients/<client_id>/sources/<source_id>/docnames reader',
    'clients.readDocument: GET /rc/v1/clients/<client_id>/sources/<source_id>/docs/<doc> reader',
    'clients.writeDocument: POST /rc/v1/clients/<client_id>/sources/<source_id>/docs/<doc> operator',
    'device.login: POST /rc/v1/app/login open',
    'device.logout: POST /rc/v1/app/logout device body?',
    'device.createClient: POST /rc/v1/clients device body?',
    'device.registerClient: POST /rc/v1/clients/<client_id>/register device',
    'device.resetClient: POST /rc/v1/clients/<client_id>/reset device body?',
    'device.pull: GET /app/v1/<source_name> device client',
    'device.pullByBody: POST /app/v1/<source_name>/pull device client',
    'device.events: GET /rc/v1/app/events device client',
    'device.push: POST /app/v1/<source_name> device client',
    'device.versions: GET /app/v1/<source_name>/versions device client',
    'device.objects: POST /app/v1/<source_name>/objects device client',
    'device.uploadBlob: POST /app/v1/<source_name>/blobs device bytes',
    'device.readBlob: GET /app/v1/<source_name>/blobs/<hash> device',
    'device.search: POST /rc/v1/app/search device',
    'device.bulkData: POST /rc/v1/app/bulk_data device client',
    'device.bulkFile: GET /rc/v1/app/bulk_data/<bulk_id>/<hash> device',
    'operations.events: GET /rc/v1/events reader',
    'operations.explain: GET /rc/v1/explain reader',
    'operations.undecided: GET /rc/v1/mutations reader',
    'operations.mutation: GET /rc/v1/mutations/<mutation_id> reader',
    'operations.audit: GET /rc/v1/audit admin',
    'operations.checkAudit: GET /rc/v1/audit/check admin',
    'operations.retry: POST /rc/v1/mutations/<mutation_id>/retry operator',
    'operations.settle: POST /rc/v1/mutations/<mutation_id>/settle operator body?',
    'operations.discard: POST /rc/v1/mutations/<mutation_id>/discard operator',
    'plugin.pushObjects: POST /app/v1/<source_name>/push_objects plugin',
    'plugin.pushDeletes: POST /app/v1/<source_name>/push_deletes plugin',
    'plugin.fastInsert: POST /app/v1/<source_name>/fast_insert plugin',
    'plugin.fastUpdate: POST /app/v1/<source_name>/fast_update plugin',
    'plugin.fastDelete: POST /app/v1/<source_name>/fast_delete plugin',
    'readState.set: PUT /rc/v1/readstate/users/<user_id>/sources/<source_id> operator body?',
    'sources.all: GET /rc/v1/sources reader,plugin',
    'sources.list: GET /rc/v1/sources/type/<partition_type> reader,plugin',
    'sources.get: GET /rc/v1/sources/<source_id> reader,plugin',
    'sources.update: PUT /rc/v1/sources/<source_id> operator',
    'store.read: GET /rc/v1/store/<doc> reader',
    'store.write: POST /rc/v1/store/<doc> operator',
    'system.login: POST /rc/v1/system/login open',
    'system.signIn: POST /rc/v1/system/session open',
    'system.session: GET /rc/v1/system/session reader,plugin',
    'system.signOut: DELETE /rc/v1/system/session reader,plugin',
    'system.state: GET /rc/v1/system/state reader',
    'system.license: GET /rc/v1/system/license reader',
    'system.reset: POST /rc/v1/system/reset admin body?',
    'system.jobs: GET /rc/v1/system/jobs reader',
    'system.readAppServer: GET /rc/v1/system/appserver reader,plugin',
    'system.writeAppServer: POST /rc/v1/system/appserver plugin',
    'system.stats: GET /rc/v1/system/stats reader',
    'system.tokens: GET /rc/v1/system/tokens reader,plugin',
    'system.revokeToken: DELETE /rc/v1/system/tokens/<token_id> reader,plugin',
    'users.create: POST /rc/v1/users admin',
    'users.createMany: POST /rc/v1/users/import admin',
    'users.list: GET /rc/v1/users reader',
    'users.get: GET /rc/v1/users/<user_id> reader',
    'users.page: GET /rc/v1/system/users reader',
    'users.update: PUT /rc/v1/users/<user_id> operator',
    'users.delete: DELETE /rc/v1/users/<user_id> admin',
    'users.endSessions: DELETE /rc/v1/users/<user_id>/sessions operator',
    'users.clients: GET /rc/v1/users/<user_id>/clients reader',
    'users.deleteClient: DELETE /rc/v1/users/<user_id>/clients/<client_id> operator',
    'users.ping: POST /rc/v1/users/ping operator,plugin',
    'users.partition: GET /rc/v1/users/<user_id>/sources/<source_id> reader',
    'users.objects: GET /rc/v1/users/<user_id>/sources/<source_id>/objects reader',
    'users.documentNames: GET /rc/v1/users/<user_id>/sources/<source_id>/docnames reader',
    'users.readDocument: GET /rc/v1/users/<user_id>/sources/<source_id>/docs/<doc> reader',
    'users.writeDocument: POST /rc/v1/users/<user_id>/sources/<source_id>/docs/<doc> operator',
  ])
})

test('codes', () => {
  expect(Object.keys(ERROR_CODES)).toEqual([
    'malformed_json',
    'client_missing',
    'body_too_large',
    'unsupported_media_type',
    'range_invalid',
    'body_invalid',
    'name_reserved',
    'url_not_allowed',
    'value_not_allowed',
    'token_missing',
    'token_invalid',
    'token_expired',
    'invalid_credentials',
    'session_missing',
    'session_expired',
    'role_insufficient',
    'not_your_client',
    'not_a_device_user',
    'not_an_api_user',
    'user_locked',
    'reset_disabled',
    'origin_not_allowed',
    'too_many_attempts',
    'quota_exceeded',
    'user_not_found',
    'client_not_found',
    'source_not_found',
    'document_not_found',
    'file_not_found',
    'token_not_found',
    'mutation_not_found',
    'metric_not_found',
    'route_not_found',
    'method_not_allowed',
    'user_exists',
    'last_admin',
    'kind_differs',
    'document_read_only',
    'mutation_gap',
    'client_forked',
    'epoch_changed',
    'blob_missing',
    'bulk_only',
    'backend_failed',
    'backend_timeout',
    'store_unavailable',
    'internal',
    'refused',
    'conflict',
    'gone',
    'operation_not_supported',
    'depends_on_refused',
    'blobs_lost',
    'discarded',
    'in_doubt',
    'offline',
    'logged_out',
    'unsent_changes',
    'device_locked',
    'sdk_closed',
    'device_moved',
    'owner_silent',
    'user_changed',
    'call_unfinished',
    'reload_needed',
    'action_failed',
    'model_unknown',
    'definition_invalid',
    'attribute_unknown',
    'record_invalid',
    'attribute_invalid',
    'name_not_allowed',
    'query_invalid',
    'not_unique',
    'action_unknown',
    'checksum_differs',
    'schema_newer',
    'database_failed',
    'storage_full',
    'storage_lost',
    'encryption_key_wrong',
  ])
  expect([...RETRYABLE_CODES]).toEqual([
    'too_many_attempts',
    'quota_exceeded',
    'backend_failed',
    'backend_timeout',
    'store_unavailable',
    'internal',
    'offline',
    'device_locked',
  ])
})

test('schemas', () => {
  expect({ problem: problemSchema, ...schemas }).toEqual(pinnedSchemas)
})

test('no two routes match the same request', () => {
  const shapes = Object.values(routes).flatMap(table =>
    Object.values<RouteLine>(table).map(({ method, path }) => `${method} ${path.replace(/<[^>]+>/g, '<>')}`),
  )
  expect(shapes).toHaveLength(new Set(shapes).size)
})
