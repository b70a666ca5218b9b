import { partitionStateSchema } from '../admin/partition.js'
import { readStateSchema } from '../admin/read-state.js'
import type { SchemasOf } from '../route-schemas.js'
import type { readStateRoutes } from '../routes/read-state.js'

/** Schemas and error codes of the read state routes. */
export const readStateSchemas: SchemasOf<typeof readStateRoutes> = {
  set: { body: readStateSchema, problems: ['user_not_found', 'value_not_allowed'] },
  refresh: { answer: partitionStateSchema, problems: ['user_not_found', 'value_not_allowed'] },
}
