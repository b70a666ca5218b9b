import type { ObjectId, ObjectMap } from '../object-map.js'
import { objectMapSchema } from '../object-map-schema.js'
import { integer, list, mapOf, object, optional, type Schema, string } from '../schema.js'
import { MAX_GET_OBJECTS, MAX_PAGE_SIZE } from './limits.js'

/** What a device asks whose sum differs from that of the server: which objects there are, in order of the UTF-8 bytes of their ids. */
export interface VersionsQuery {
  /** Ids after this one. Absent: from the first. */
  readonly after?: ObjectId
  /** Ids a page: 1 to 10,000. Default 5000. */
  readonly limit?: number
}

/** Live objects with their versions, as they stand when they are read; what changes meanwhile, the next pull brings. */
export interface Versions {
  /** The collection's epoch. Another than that of the device: what is here does not fit its rows. */
  readonly epoch: string
  /** The version of each object after `after`, up to `next`. */
  readonly versions: { readonly [id: ObjectId]: number }
  /** The last id of this page; ask again with it as `after`. Absent: there are no more. */
  readonly next?: ObjectId
}

/** The objects that differ, by id. */
export interface GetObjects {
  /** At most 500. */
  readonly ids: readonly ObjectId[]
}

/** Those of them that live, whole. */
export interface GotObjects {
  /** The collection's epoch. Another than that of the device: what is here does not fit its rows. */
  readonly epoch: string
  readonly objects: ObjectMap
  /** The version of each object in `objects`. */
  readonly versions: { readonly [id: ObjectId]: number }
}

const id = string({ minLength: 1, maxLength: 1024 })
const versions = mapOf(integer({ minimum: 0 }))

export const versionsQuerySchema: Schema<VersionsQuery> = object<VersionsQuery>({
  after: optional(id),
  limit: optional(integer({ minimum: 1, maximum: MAX_PAGE_SIZE })),
})

export const versionsSchema: Schema<Versions> = object<Versions>({ epoch: string(), versions, next: optional(id) })

export const getObjectsSchema: Schema<GetObjects> = object<GetObjects>({ ids: list(id, { maxItems: MAX_GET_OBJECTS }) })

export const gotObjectsSchema: Schema<GotObjects> = object<GotObjects>({
  epoch: string(),
  objects: objectMapSchema,
  versions,
})
