import type { ObjectId, ObjectMap } from '../object-map.js'
import { objectMapSchema } from '../object-map-schema.js'
import { integer, list, mapOf, object, optional, type Schema, string } from '../schema.js'
import { MAX_GET_OBJECTS, MAX_PAGE_SIZE } from './limits.js'
import type { PartitionParameters } from './parameters.js'
import { parametersSchema, parametersTextSchema } from './parameters-schema.js'

/** Requests ids and versions of all objects, in order of the UTF-8 bytes of the ids; for a device whose checksum differs from the server's. */
export interface VersionsQuery {
  /** Returns ids after this one. Default: starts at the first. */
  readonly after?: ObjectId
  /** Ids per page, 1 to 10,000. Default 5000. */
  readonly limit?: number
  /** The partition of a source with `by`, as JSON text. */
  readonly parameters?: string
}

/** Live objects with their versions at the time of reading; the next pull delivers later changes. */
export interface Versions {
  /** The collection's epoch. If it differs from the device's, the versions do not apply to the device's rows. */
  readonly epoch: string
  /** The version of each object after `after`, up to `next`. */
  readonly versions: { readonly [id: ObjectId]: number }
  /** The last id of this page; pass it as `after` in the next request. Absent on the last page. */
  readonly next?: ObjectId
}

/** Requests objects by id. */
export interface GetObjects {
  /** At most 500 ids. */
  readonly ids: readonly ObjectId[]
  /** The partition of a source with `by`. */
  readonly parameters?: PartitionParameters
}

/** The live objects among those requested, with all attributes. */
export interface GotObjects {
  /** The collection's epoch. If it differs from the device's, the versions do not apply to the device's rows. */
  readonly epoch: string
  readonly objects: ObjectMap
  /** The version of each object in `objects`. */
  readonly versions: { readonly [id: ObjectId]: number }
  /** The requested ids that were not read, because the answer would be larger than 1 MiB: ask for them again. Absent: none. */
  readonly rest?: readonly ObjectId[] | undefined
}

const id = string({ minLength: 1, maxLength: 1024 })
const versions = mapOf(integer({ minimum: 0 }))

export const versionsQuerySchema: Schema<VersionsQuery> = object<VersionsQuery>({
  after: optional(id),
  limit: optional(integer({ minimum: 1, maximum: MAX_PAGE_SIZE })),
  parameters: optional(parametersTextSchema),
})

export const versionsSchema: Schema<Versions> = object<Versions>({ epoch: string(), versions, next: optional(id) })

export const getObjectsSchema: Schema<GetObjects> = object<GetObjects>({
  ids: list(id, { maxItems: MAX_GET_OBJECTS }),
  parameters: optional(parametersSchema),
})

export const gotObjectsSchema: Schema<GotObjects> = object<GotObjects>({
  epoch: string(),
  objects: objectMapSchema,
  versions,
  rest: optional(list(id)),
})
