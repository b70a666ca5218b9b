import { appServerSchema } from './admin/app-server.js'
import { auditCheckSchema, auditEntriesSchema, auditListSchema } from './admin/audit.js'
import { clientInfoSchema, clientLinesSchema, clientListSchema, clientSourcesSchema } from './admin/client.js'
import { documentContentSchema, documentNamesSchema, documentWriteSchema } from './admin/document.js'
import { explainSchema, explanationSchema } from './admin/explain.js'
import { jobListSchema, jobsSchema } from './admin/job.js'
import { licenseSchema } from './admin/license.js'
import { adminLoginSchema, adminTokenSchema } from './admin/login.js'
import { objectHistoryQuerySchema, objectHistorySchema } from './admin/object-history.js'
import { objectListSchema, objectPageSchema } from './admin/object-page.js'
import { partitionStateSchema } from './admin/partition.js'
import { pingAnswerSchema, pingSchema } from './admin/ping.js'
import { readStateSchema } from './admin/read-state.js'
import { resetSchema } from './admin/reset.js'
import { serverEventSchema, serverEventsQuerySchema } from './admin/server-event.js'
import { serverStateSchema } from './admin/server-state.js'
import { adminSessionSchema } from './admin/session.js'
import { sourceInfoSchema, sourceUpdateSchema } from './admin/source.js'
import { statsQuerySchema, statsSchema } from './admin/stats.js'
import { tokenInfosSchema, tokenListSchema } from './admin/token.js'
import {
  mutationSettlementSchema,
  retriedSchema,
  sentMutationSchema,
  undecidedListSchema,
  undecidedSchema,
} from './admin/undecided.js'
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
} from './admin/user.js'
import { blobPartSchema, blobReadSchema, blobUploadedSchema, blobUploadSchema, bytesSchema } from './device/blobs.js'
import { bulkDataSchema, bulkRequestSchema } from './device/bulk.js'
import { clientCreatedSchema, clientRegistrationSchema, clientResetSchema } from './device/client.js'
import { eventsQuerySchema } from './device/events.js'
import { deviceLoginSchema, deviceSessionSchema } from './device/login.js'
import { pushedSchema, pushSchema } from './device/mutation.js'
import { pageSchema, pullBodySchema, pullSchema } from './device/page.js'
import { searchResultsSchema, searchSchema } from './device/search.js'
import { getObjectsSchema, gotObjectsSchema, versionsQuerySchema, versionsSchema } from './device/versions.js'
import { fastDeleteSchema } from './plugin/fast-delete.js'
import { fastInsertSchema } from './plugin/fast-insert.js'
import { fastUpdateSchema } from './plugin/fast-update.js'
import { pushDeletesSchema } from './plugin/push-deletes.js'
import { pushObjectsSchema, writtenSchema } from './plugin/push-objects.js'
import type { TypesOf } from './route.js'
import type { Routes } from './routes.js'
import { list, object, type Schema, string } from './schema.js'

export { SERVER_EVENT_KINDS, serverEventSchema } from './admin/server-event.js'
export { problemSchema } from './errors/problem.js'
export type { JsonSchema, Schema } from './schema.js'

/** The schemas of one route: exactly the members that its types have; without a typed answer, the empty object. */
export type RouteSchemas<R> = { readonly [Member in keyof TypesOf<R>]: Schema<TypesOf<R>[Member]> }

export type SchemasOf<Table> = {
  readonly [Group in keyof Table]: { readonly [Name in keyof Table[Group]]: RouteSchemas<Table[Group][Name]> }
}

/** The answer of a route that has nothing to say. */
export const emptyAnswerSchema: Schema<Record<string, never>> = object<Record<never, never>>({}, { closed: true })

/** Route → schemas. A route without its line here does not compile. */
export const schemas: SchemasOf<Routes> = {
  clients: {
    list: { query: clientListSchema, answer: namesSchema },
    get: { answer: clientInfoSchema },
    page: { query: clientListSchema, answer: clientLinesSchema },
    sources: { answer: clientSourcesSchema },
    documentNames: { answer: documentNamesSchema },
    readDocument: { answer: documentContentSchema },
    writeDocument: { body: documentWriteSchema },
  },
  device: {
    login: { body: deviceLoginSchema, answer: deviceSessionSchema },
    logout: {},
    createClient: { answer: clientCreatedSchema },
    registerClient: { body: clientRegistrationSchema },
    resetClient: { body: clientResetSchema },
    pull: { query: pullSchema, answer: pageSchema },
    pullByBody: { body: pullBodySchema, answer: pageSchema },
    events: { query: eventsQuerySchema, answer: string() },
    push: { body: pushSchema, answer: pushedSchema },
    versions: { query: versionsQuerySchema, answer: versionsSchema },
    objects: { body: getObjectsSchema, answer: gotObjectsSchema },
    uploadBlob: { query: blobUploadSchema, body: blobPartSchema, answer: blobUploadedSchema },
    readBlob: { query: blobReadSchema, answer: bytesSchema },
    search: { body: searchSchema, answer: searchResultsSchema },
    bulkData: { body: bulkRequestSchema, answer: bulkDataSchema },
    bulkFile: { answer: bytesSchema },
  },
  operations: {
    events: { query: serverEventsQuerySchema, answer: serverEventSchema },
    explain: { query: explainSchema, answer: explanationSchema },
    undecided: { query: undecidedListSchema, answer: undecidedSchema },
    mutation: { answer: sentMutationSchema },
    audit: { query: auditListSchema, answer: auditEntriesSchema },
    checkAudit: { answer: auditCheckSchema },
    retry: { answer: retriedSchema },
    settle: { body: mutationSettlementSchema, answer: retriedSchema },
    discard: {},
  },
  plugin: {
    pushObjects: { body: pushObjectsSchema, answer: writtenSchema },
    pushDeletes: { body: pushDeletesSchema, answer: writtenSchema },
    fastInsert: { body: fastInsertSchema, answer: writtenSchema },
    fastUpdate: { body: fastUpdateSchema, answer: writtenSchema },
    fastDelete: { body: fastDeleteSchema, answer: writtenSchema },
  },
  readState: {
    set: { body: readStateSchema },
  },
  sources: {
    all: { answer: list(sourceInfoSchema) },
    list: { answer: namesSchema },
    get: { answer: sourceInfoSchema },
    update: { body: sourceUpdateSchema },
  },
  store: {
    read: { answer: documentContentSchema },
    write: { body: documentWriteSchema },
  },
  system: {
    login: { body: adminLoginSchema, answer: adminTokenSchema },
    signIn: { body: adminLoginSchema, answer: adminSessionSchema },
    session: { answer: adminSessionSchema },
    signOut: {},
    state: { answer: serverStateSchema },
    license: { answer: licenseSchema },
    reset: { body: resetSchema },
    readAppServer: { answer: appServerSchema },
    writeAppServer: { body: appServerSchema },
    jobs: { query: jobListSchema, answer: jobsSchema },
    stats: { query: statsQuerySchema, answer: statsSchema },
    tokens: { query: tokenListSchema, answer: tokenInfosSchema },
    revokeToken: {},
  },
  users: {
    create: { body: userCreateSchema, answer: userCreatedSchema },
    createMany: { body: usersCreateSchema, answer: usersCreatedSchema },
    list: { query: userListSchema, answer: namesSchema },
    get: { answer: userSchema },
    page: { query: userListSchema, answer: usersSchema },
    update: { body: userUpdateSchema },
    delete: {},
    endSessions: {},
    clients: { answer: namesSchema },
    deleteClient: {},
    ping: { body: pingSchema, answer: pingAnswerSchema },
    partition: { answer: partitionStateSchema },
    objects: { query: objectListSchema, answer: objectPageSchema },
    history: { query: objectHistoryQuerySchema, answer: objectHistorySchema },
    documentNames: { answer: documentNamesSchema },
    readDocument: { answer: documentContentSchema },
    writeDocument: { body: documentWriteSchema },
  },
}
