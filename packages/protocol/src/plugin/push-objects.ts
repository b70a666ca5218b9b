import type { ObjectMap } from '../object-map.js'
import { objectMapSchema } from '../object-map-schema.js'
import { boolean, integer, nullable, object, optional, type Schema, string } from '../schema.js'

/** Pushes new or changed objects of one partition. */
export interface PushObjects {
  /** The user whose partition is written; need not exist yet. Ignored for app sources, where `*` is allowed. */
  readonly user_id: string
  /** Objects to create or to merge by attribute into existing ones (`null` removes an attribute). */
  readonly objects: ObjectMap
  /** If true, also verifies count and checksum in the background. Default false. */
  readonly rebuild_md?: boolean
}

/** The result of a backend's write. */
export interface WriteResult {
  /** The version of the collection after the write. */
  readonly version: number
  /** The number of objects created, changed or removed. */
  readonly changed: number
  /** The number of live objects after the write. */
  readonly count: number
  /**
   * The time after which the next pull queries the source and replaces the written data; the current time if a query is due. Null if only a requested
   * query does. Absent if the source has no query, so the data stays.
   */
  readonly replaced_at?: string | null
}

export const pushObjectsSchema: Schema<PushObjects> = object<PushObjects>({
  user_id: string({ minLength: 1, maxLength: 1024 }),
  objects: objectMapSchema,
  rebuild_md: optional(boolean),
})

export const writtenSchema: Schema<WriteResult> = object<WriteResult>({
  version: integer({ minimum: 0 }),
  changed: integer({ minimum: 0 }),
  count: integer({ minimum: 0 }),
  replaced_at: optional(nullable(string())),
})
