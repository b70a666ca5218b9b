import type { ObjectMap } from '../object-map.js'
import { objectMapSchema } from '../object-map-schema.js'
import { object, type Schema, string } from '../schema.js'

/** Removes the named attributes. An object without attributes left is removed. */
export interface FastDelete {
  /** The user whose partition is written. Ignored for app sources, where `*` is allowed. */
  readonly user_id: string
  /** Objects with the attributes to remove; other attributes stay. */
  readonly data: ObjectMap
}

export const fastDeleteSchema: Schema<FastDelete> = object<FastDelete>({
  user_id: string({ minLength: 1, maxLength: 1024 }),
  data: objectMapSchema,
})
