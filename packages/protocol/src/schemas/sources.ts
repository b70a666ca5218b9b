import { feedInfoSchema } from '../admin/feed.js'
import { partitionStateSchema } from '../admin/partition.js'
import { sourceInfoSchema, sourceUpdateSchema } from '../admin/source.js'
import { namesSchema } from '../admin/user.js'
import type { SchemasOf } from '../route-schemas.js'
import type { sourcesRoutes } from '../routes/sources.js'
import { list } from '../schema.js'

/** Schemas and error codes of the source routes. */
export const sourcesSchemas: SchemasOf<typeof sourcesRoutes> = {
  all: { answer: list(sourceInfoSchema), problems: [] },
  list: { answer: namesSchema, problems: ['value_not_allowed'] },
  get: { answer: sourceInfoSchema, problems: [] },
  feeds: { answer: list(feedInfoSchema), problems: [] },
  update: { body: sourceUpdateSchema, problems: ['user_not_found'] },
  acceptRemovals: { answer: partitionStateSchema, problems: ['user_not_found', 'value_not_allowed'] },
}
