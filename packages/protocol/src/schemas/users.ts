import { documentContentSchema, documentNamesSchema, documentWriteSchema } from '../admin/document.js'
import { objectHistoryQuerySchema, objectHistorySchema } from '../admin/object-history.js'
import { objectListSchema, objectPageSchema } from '../admin/object-page.js'
import { partitionStateSchema } from '../admin/partition.js'
import { pingAnswerSchema, pingSchema } from '../admin/ping.js'
import {
  namesSchema,
  userCreatedSchema,
  userCreateSchema,
  userListSchema,
  userSchema,
  usersCreatedSchema,
  usersCreateSchema,
  usersSchema,
  userUpdateSchema,
} from '../admin/user.js'
import { userSessionsSchema } from '../admin/user-session.js'
import type { SchemasOf } from '../route-schemas.js'
import type { usersRoutes } from '../routes/users.js'

/** Schemas and error codes of the user routes. */
export const usersSchemas: SchemasOf<typeof usersRoutes> = {
  create: { body: userCreateSchema, answer: userCreatedSchema, problems: ['user_exists', 'name_reserved'] },
  createMany: { body: usersCreateSchema, answer: usersCreatedSchema, problems: ['name_reserved'] },
  list: { query: userListSchema, answer: namesSchema, problems: [] },
  get: { answer: userSchema, problems: ['user_not_found'] },
  page: { query: userListSchema, answer: usersSchema, problems: [] },
  update: { body: userUpdateSchema, problems: ['user_not_found', 'value_not_allowed', 'last_admin'] },
  delete: { problems: ['user_not_found', 'last_admin'] },
  sessions: { answer: userSessionsSchema, problems: ['user_not_found'] },
  endSession: { problems: ['user_not_found', 'session_not_found'] },
  endSessions: { problems: ['user_not_found'] },
  refreshPartitions: { problems: [] },
  clients: { answer: namesSchema, problems: ['user_not_found'] },
  deleteClient: { problems: ['user_not_found', 'client_not_found'] },
  ping: { body: pingSchema, answer: pingAnswerSchema, problems: ['value_not_allowed'] },
  partition: { answer: partitionStateSchema, problems: ['user_not_found', 'value_not_allowed', 'backend_failed'] },
  objects: {
    query: objectListSchema,
    answer: objectPageSchema,
    problems: ['user_not_found', 'value_not_allowed', 'backend_failed'],
  },
  history: {
    query: objectHistoryQuerySchema,
    answer: objectHistorySchema,
    problems: ['user_not_found', 'value_not_allowed'],
  },
  documentNames: { answer: documentNamesSchema, problems: ['user_not_found', 'value_not_allowed'] },
  readDocument: {
    answer: documentContentSchema,
    problems: ['user_not_found', 'value_not_allowed', 'document_not_found', 'backend_failed'],
  },
  writeDocument: {
    body: documentWriteSchema,
    problems: ['user_not_found', 'value_not_allowed', 'document_read_only', 'kind_differs', 'epoch_changed'],
  },
}
