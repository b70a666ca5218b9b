import type { ObjectMap } from '../object-map.js'
import { objectMapSchema } from '../object-map-schema.js'
import { object, type Schema, string } from '../schema.js'

/** A backend removes the attributes named. An object whose last attribute goes is gone. */
export interface FastDelete {
  /** Whose partition. Ignored for app sources, where `*` is allowed. */
  readonly user_id: string
  /** Objects with all of their attributes; what is left out stays stored. */
  readonly data: ObjectMap
}

export const fastDeleteSchema: Schema<FastDelete> = object<FastDelete>({
  user_id: string({ minLength: 1, maxLength: 1024 }),
  data: objectMapSchema,
})
