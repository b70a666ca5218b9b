import type { Attributes, ObjectMap } from './object-map.js'
import { anything, mapOf, type Schema } from './schema.js'

export const attributesSchema: Schema<Attributes> = mapOf(anything)
export const objectMapSchema: Schema<ObjectMap> = mapOf(attributesSchema)
