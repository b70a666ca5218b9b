import { blobPartSchema, blobReadSchema, blobUploadedSchema, blobUploadSchema, bytesSchema } from '../device/blobs.js'
import { bulkDataSchema, bulkRequestSchema } from '../device/bulk.js'
import { clientCreatedSchema, clientRegistrationSchema, clientResetSchema } from '../device/client.js'
import { eventsQuerySchema } from '../device/events.js'
import { deviceLoginSchema, deviceSessionSchema } from '../device/login.js'
import { pushedSchema, pushSchema } from '../device/mutation.js'
import { pageSchema, pullBodySchema, pullSchema } from '../device/page.js'
import { anyPagesSchema } from '../device/partition-pages.js'
import { pushKeySchema } from '../device/push-key.js'
import { searchResultsSchema, searchSchema } from '../device/search.js'
import { getObjectsSchema, gotObjectsSchema, versionsQuerySchema, versionsSchema } from '../device/versions.js'
import type { SchemasOf } from '../route-schemas.js'
import type { deviceRoutes } from '../routes/device.js'
import { string } from '../schema.js'

/** Schemas and error codes of the device routes. */
export const deviceSchemas: SchemasOf<typeof deviceRoutes> = {
  login: {
    body: deviceLoginSchema,
    answer: deviceSessionSchema,
    problems: [
      'invalid_credentials',
      'token_invalid',
      'token_expired',
      'not_a_device_user',
      'user_locked',
      'user_exists',
      'too_many_attempts',
      'backend_failed',
      'backend_timeout',
    ],
  },
  logout: { problems: [] },
  createClient: { answer: clientCreatedSchema, problems: ['quota_exceeded'] },
  registerClient: { body: clientRegistrationSchema, problems: [] },
  pushKey: { answer: pushKeySchema, problems: [] },
  resetClient: { body: clientResetSchema, problems: ['source_not_found'] },
  pull: { query: pullSchema, answer: pageSchema, problems: ['bulk_only', 'value_not_allowed', 'quota_exceeded'] },
  pullByBody: { body: pullBodySchema, answer: anyPagesSchema, problems: ['bulk_only', 'value_not_allowed'] },
  events: { query: eventsQuerySchema, answer: string(), problems: [] },
  push: {
    body: pushSchema,
    answer: pushedSchema,
    problems: [
      'epoch_changed',
      'mutation_gap',
      'client_forked',
      'blob_missing',
      'value_not_allowed',
      'partition_not_allowed',
      'quota_exceeded',
    ],
  },
  versions: {
    query: versionsQuerySchema,
    answer: versionsSchema,
    problems: ['value_not_allowed', 'partition_not_allowed', 'epoch_changed', 'quota_exceeded'],
  },
  objects: {
    body: getObjectsSchema,
    answer: gotObjectsSchema,
    problems: ['value_not_allowed', 'partition_not_allowed', 'epoch_changed', 'quota_exceeded'],
  },
  uploadBlob: {
    query: blobUploadSchema,
    body: blobPartSchema,
    answer: blobUploadedSchema,
    problems: ['value_not_allowed', 'partition_not_allowed', 'quota_exceeded'],
  },
  readBlob: {
    query: blobReadSchema,
    answer: bytesSchema,
    problems: ['value_not_allowed', 'partition_not_allowed', 'file_not_found', 'range_invalid', 'quota_exceeded'],
  },
  search: { body: searchSchema, answer: searchResultsSchema, problems: ['quota_exceeded'] },
  bulkData: {
    body: bulkRequestSchema,
    answer: bulkDataSchema,
    problems: ['source_not_found', 'value_not_allowed', 'partition_not_allowed', 'backend_failed', 'quota_exceeded'],
  },
  bulkFile: { answer: bytesSchema, problems: ['file_not_found', 'range_invalid'] },
}
