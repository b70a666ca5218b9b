import type { ObjectMap } from '../object-map.js'
import { objectMapSchema } from '../object-map-schema.js'
import { object, optional, type Schema, string } from '../schema.js'

/** Adds objects that are new in the backend; an object that exists is merged. One of `objects` and `data` is required. */
export interface FastInsert {
  /** The user whose partition is written. Ignored for app sources, where `*` is allowed. */
  readonly user_id: string
  readonly objects?: ObjectMap
  /** An alias of `objects`. */
  readonly data?: ObjectMap
}

export const fastInsertSchema: Schema<FastInsert> = {
  ...object<FastInsert>({
    user_id: string({ minLength: 1, maxLength: 1024 }),
    objects: optional(objectMapSchema),
    data: optional(objectMapSchema),
  }),
  anyOf: [{ required: ['objects'] }, { required: ['data'] }],
}
