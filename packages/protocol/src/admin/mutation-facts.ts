import type { Attributes } from '../object-map.js'
import { attributesSchema } from '../object-map-schema.js'
import { nullable, oneOf, string } from '../schema.js'

/** A mutation as operators see it; without its attributes, which are the user's. */
export interface MutationFacts {
  /** The name of the source. */
  readonly source: string
  /** Whose copy of the source, as the server spells it. */
  readonly partition: string
  /** The login of the user who made the change. */
  readonly user: string
  /** The client that sent it. */
  readonly client: string
  /** What it does to its object. */
  readonly operation: 'create' | 'update' | 'delete'
  /** The object's id; of a create its temporary one. */
  readonly object: string
}

/** What a device wanted. */
export interface MutationContent {
  /** What the device wants: of a create all attributes, of an update those that change (`null` removes one). Null: of a delete, or not kept. */
  readonly attributes: Attributes | null
  /** What those were on the device; of a delete, all of the object. Null: of a create, or not kept. */
  readonly was: Attributes | null
}

export const mutationFactMembers = {
  source: string(),
  partition: string(),
  user: string(),
  client: string(),
  operation: oneOf('create', 'update', 'delete'),
  object: string(),
} as const

/** The members that tell of a mutation's content; `null` where it is not kept. */
export const mutationContentMembers = {
  attributes: nullable(attributesSchema),
  was: nullable(attributesSchema),
} as const
