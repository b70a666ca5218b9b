import type { Attributes } from '../object-map.js'
import { attributesSchema } from '../object-map-schema.js'
import { integer, list, nullable, object, optional, type Schema, string } from '../schema.js'

/** Which objects of a master document. */
export interface ObjectList {
  /** The object with this id alone, if it is there. */
  readonly id?: string
  /** Only objects that have this text in a value, in whatever case. */
  readonly contains?: string
  /** Where `contains` is looked for: in the value of this attribute. Default: in all of them. Without `contains`: objects that have the attribute. */
  readonly attribute?: string
  /** Those behind this id. */
  readonly after?: string
  /** Default 100. */
  readonly limit?: number
}

/** An object of a master document. */
export interface StoredObject {
  /** Of the object. */
  readonly id: string
  /** Of the write that changed it last. */
  readonly version: number
  /** When that was, to the second, ISO 8601 UTC; null: longer ago than the history of the document reaches. Told of one object that is asked for by `id`. */
  readonly changed_at?: string | null
  readonly attributes: Attributes
}

/** Objects in order of id. One request looks at 10,000 objects at most, so that a search may find none and still have a `next`. */
export interface ObjectPage {
  /** What was found. */
  readonly objects: readonly StoredObject[]
  /** How many objects were looked at. */
  readonly looked: number
  /** For `after` of the next request. Absent: this was the end. */
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
