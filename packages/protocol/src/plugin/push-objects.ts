import type { ObjectMap } from '../object-map.js'
import { objectMapSchema } from '../object-map-schema.js'
import { boolean, integer, nullable, object, optional, type Schema, string } from '../schema.js'

/** A backend hands over new or changed objects of one partition. */
export interface PushObjects {
  /** Whose partition; the user need not exist yet. Ignored for app sources, where `*` is allowed. */
  readonly user_id: string
  /** Merged attribute by attribute into objects that exist (`null` removes an attribute); the others are created. */
  readonly objects: ObjectMap
  /** True also verifies count and checksum in the background. Absent: only what is sent is touched. */
  readonly rebuild_md?: boolean
}

/** What a backend's write did. */
export interface WriteResult {
  /** The version of the collection after it. */
  readonly version: number
  /** How many objects it changed, created or removed. */
  readonly changed: number
  /** Live objects of the collection after it. */
  readonly count: number
  /**
   * When a query of the source replaces what was written, with the next pull after this time; the present time where one is due. Null: only when
   * somebody asks for a query. Absent: the source has no query, and what was written stays.
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
