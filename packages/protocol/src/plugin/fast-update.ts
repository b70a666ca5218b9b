import type { ObjectMap } from '../object-map.js'
import { objectMapSchema } from '../object-map-schema.js'
import { object, type Schema, string } from '../schema.js'

/** A backend replaces attributes: those named in `delete_data` go, `data` is merged; named in both: the new value stands. */
export interface FastUpdate {
  /** Whose partition. Ignored for app sources, where `*` is allowed. */
  readonly user_id: string
  /** The previous state. Its values are not compared. */
  readonly delete_data: ObjectMap
  /** The new state. */
  readonly data: ObjectMap
}

export const fastUpdateSchema: Schema<FastUpdate> = object<FastUpdate>({
  user_id: string({ minLength: 1, maxLength: 1024 }),
  delete_data: objectMapSchema,
  data: objectMapSchema,
})
