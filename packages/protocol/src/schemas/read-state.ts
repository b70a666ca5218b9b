import { partitionStateSchema } from '../admin/partition.js'
import { readStateSchema } from '../admin/read-state.js'
import type { SchemasOf } from '../route-schemas.js'
import type { readStateRoutes } from '../routes/read-state.js'

/** What the routes of the read state take and give, and the problems that are theirs alone. */
export const readStateSchemas: SchemasOf<typeof readStateRoutes> = {
  set: { body: readStateSchema, problems: ['user_not_found', 'value_not_allowed'] },
  refresh: { answer: partitionStateSchema, problems: ['user_not_found', 'value_not_allowed'] },
}
