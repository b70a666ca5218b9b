import { type Digests, digestsSchema } from '../device/mutation.js'
import type { Attributes } from '../object-map.js'
import { attributesSchema } from '../object-map-schema.js'
import { nullable, oneOf, optional, string } from '../schema.js'

/** A mutation without its attributes, which are the user's data. */
export interface MutationFacts {
  /** The name of the source. */
  readonly source: string
  /** The partition of the source, such as `user:ada`, or `*` for an app source. */
  readonly partition: string
  /** The login of the user who made the change. */
  readonly user: string
  /** The client that sent it. */
  readonly client: string
  /** The operation on the object. */
  readonly operation: 'create' | 'update' | 'delete'
  /** The object's id; for a create, its temporary id. */
  readonly object: string
}

/** The content of a mutation. */
export interface MutationContent {
  /** For a create, all attributes; for an update, the changed ones (`null` removes one). Null for a delete, or if not kept. */
  readonly attributes: Attributes | null
  /** Their previous values on the device; for a delete, the whole object. Null for a create, or if not kept. */
  readonly was: Attributes | null
  /** SHA-256 digests of large values that belong to `was`. Absent if there are none. */
  readonly was_digests?: Digests
}

export const mutationFactMembers = {
  source: string(),
  partition: string(),
  user: string(),
  client: string(),
  operation: oneOf('create', 'update', 'delete'),
  object: string(),
} as const

/** The schemas of a mutation's content; `null` if not kept. */
export const mutationContentMembers = {
  attributes: nullable(attributesSchema),
  was: nullable(attributesSchema),
  was_digests: optional(digestsSchema),
} as const
