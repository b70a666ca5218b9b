import type { SchemasOf } from './route-schemas.js'
import type { Routes } from './routes.js'
import { object, type Schema } from './schema.js'
import { clientsSchemas } from './schemas/clients.js'
import { deviceSchemas } from './schemas/device.js'
import { operationsSchemas } from './schemas/operations.js'
import { pluginSchemas } from './schemas/plugin.js'
import { readStateSchemas } from './schemas/read-state.js'
import { sourcesSchemas } from './schemas/sources.js'
import { storeSchemas } from './schemas/store.js'
import { systemSchemas } from './schemas/system.js'
import { usersSchemas } from './schemas/users.js'

export { SERVER_EVENT_KINDS, serverEventSchema } from './admin/server-event.js'
export { problemSchema } from './errors/problem.js'
export type { RouteSchemas, SchemasOf } from './route-schemas.js'
export type { JsonSchema, Schema } from './schema.js'

/** The answer of a route without a typed answer. */
export const emptyAnswerSchema: Schema<Record<string, never>> = object<Record<never, never>>({}, { closed: true })

/** The schemas and problems of all routes. A route without an entry does not compile. */
export const schemas: { readonly [Group in keyof Routes]: SchemasOf<Routes[Group]> } = {
  clients: clientsSchemas,
  device: deviceSchemas,
  operations: operationsSchemas,
  plugin: pluginSchemas,
  readState: readStateSchemas,
  sources: sourcesSchemas,
  store: storeSchemas,
  system: systemSchemas,
  users: usersSchemas,
}
