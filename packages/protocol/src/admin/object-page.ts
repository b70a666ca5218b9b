import type { Attributes } from '../object-map.js'
import { attributesSchema } from '../object-map-schema.js'
import { integer, list, nullable, object, optional, type Schema, string } from '../schema.js'

/** Selects objects of a master document. */
export interface ObjectList {
  /** Only the object with this id, if it exists. */
  readonly id?: string
  /** Only objects with this text in a value; ignores case. */
  readonly contains?: string
  /** The attribute in which to search for `contains`. Default: all attributes. Without `contains`: only objects that have this attribute. */
  readonly attribute?: string
  /** Returns objects after this id. */
  readonly after?: string
  /** Default 100. */
  readonly limit?: number
}

/** An object of a master document. */
export interface StoredObject {
  /** The id of the object. */
  readonly id: string
  /** The document version that last changed the object. */
  readonly version: number
  /**
   * Time of the last change, ISO 8601 UTC; null if it is older than the document's history. Present only for an object requested by
   * `id`.
   */
  readonly changed_at?: string | null
  readonly attributes: Attributes
}

/** Objects in order of id. One request scans at most 10,000 objects, so a search may return none and still have a `next`. */
export interface ObjectPage {
  /** The matching objects. */
  readonly objects: readonly StoredObject[]
  /** The number of objects scanned. */
  readonly looked: number
  /** Pass it as `after` in the next request. Absent on the last page. */
  readonly next?: string
}

export const objectListSchema: Schema<ObjectList> = object<ObjectList>({
  id: optional(string()),
  contains: optional(string({ minLength: 1, maxLength: 256 })),
  attribute: optional(string({ minLength: 1, maxLength: 256 })),
  after: optional(string()),
  limit: optional(integer({ minimum: 1, maximum: 1000 })),
})

export const objectPageSchema: Schema<ObjectPage> = object<ObjectPage>({
  objects: list(
    object<StoredObject>({
      id: string(),
      version: integer({ minimum: 0 }),
      changed_at: optional(nullable(string())),
      attributes: attributesSchema,
    }),
  ),
  looked: integer({ minimum: 0 }),
  next: optional(string()),
})
