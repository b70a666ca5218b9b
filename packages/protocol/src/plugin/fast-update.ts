import type { ObjectMap } from '../object-map.js'
import { objectMapSchema } from '../object-map-schema.js'
import { object, type Schema, string } from '../schema.js'

/** Replaces attributes: removes those named in `delete_data`, then merges `data`. An attribute in both gets the new value. */
export interface FastUpdate {
  /** The user whose partition is written. Ignored for app sources, where `*` is allowed. */
  readonly user_id: string
  /** The attributes to remove. Their values are not compared. */
  readonly delete_data: ObjectMap
  /** The attributes to merge. */
  readonly data: ObjectMap
}

export const fastUpdateSchema: Schema<FastUpdate> = object<FastUpdate>({
  user_id: string({ minLength: 1, maxLength: 1024 }),
  delete_data: objectMapSchema,
  data: objectMapSchema,
})
