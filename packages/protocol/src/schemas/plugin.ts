import { fastDeleteSchema } from '../plugin/fast-delete.js'
import { fastInsertSchema } from '../plugin/fast-insert.js'
import { fastUpdateSchema } from '../plugin/fast-update.js'
import { pushDeletesSchema } from '../plugin/push-deletes.js'
import { pushObjectsSchema, writtenSchema } from '../plugin/push-objects.js'
import type { SchemasOf } from '../route-schemas.js'
import type { pluginRoutes } from '../routes/plugin.js'

const PUSHED = ['name_reserved', 'value_not_allowed', 'epoch_changed'] as const

/** Schemas and error codes of the plugin routes. */
export const pluginSchemas: SchemasOf<typeof pluginRoutes> = {
  pushObjects: { body: pushObjectsSchema, answer: writtenSchema, problems: PUSHED },
  pushDeletes: { body: pushDeletesSchema, answer: writtenSchema, problems: PUSHED },
  fastInsert: { body: fastInsertSchema, answer: writtenSchema, problems: PUSHED },
  fastUpdate: { body: fastUpdateSchema, answer: writtenSchema, problems: PUSHED },
  fastDelete: { body: fastDeleteSchema, answer: writtenSchema, problems: PUSHED },
}
