import type { Attributes, ObjectId } from '../object-map.js'
import { attributesSchema } from '../object-map-schema.js'
import { boolean, integer, list, object, oneOf, optional, type Schema, string } from '../schema.js'
import { MAX_MUTATIONS } from './limits.js'
import { type Outcome, outcomeSchema } from './outcome.js'
import { OPERATIONS, type Operation } from './vocabulary.js'

/** One create, update or delete that a device sends. Number, key and content never change once they were in a request. */
export interface Mutation {
  /** Counts from 1 per (client, source) and epoch, without gaps. */
  readonly number: number
  /** Random; the mutation's identity for life, and the idempotency key for the source. */
  readonly key: string
  readonly operation: Operation
  /** The object's id; of a create its temporary one. */
  readonly object: ObjectId
  /** create: all attributes. update: those that change (`null` removes one), or all of a `full_update`. delete: absent. */
  readonly attributes?: Attributes
  /** What the changed attributes were on the device (a missing one was absent); of a delete, all of the object. create: absent. */
  readonly was?: Attributes
  /** `full_update` only: the names that really changed; only these can conflict. */
  readonly changed?: readonly string[]
  /** The version of the object on the device. Absent: it never came from the collection (a search result, or a new epoch). */
  readonly seen?: number
  /** Temporary ids that the mutation names and whose creates the device doesn't know to be decided; all of this source. */
  readonly owners?: readonly ObjectId[]
  /** It may have been in a request under another client id or epoch. */
  readonly sent?: boolean
  /** The attributes whose values name blobs by their SHA-256. Any other text of 64 hexadecimal digits is text. */
  readonly blobs?: readonly string[]
  /** The device cannot send a blob that the mutation names: where the server does not have it either, the mutation is refused (`blobs_lost`). */
  readonly blobs_lost?: boolean
}

/** What a device pushes to one source: at most 500 mutations or 1 MiB. */
export interface Push {
  /** The epoch the device knows from its last pull. */
  readonly epoch: string
  /** Every outcome up to this number has been applied on the device. */
  readonly acknowledged: number
  /** In the order of their numbers; may be empty, to hear of outcomes. */
  readonly mutations: readonly Mutation[]
  /** Nothing of it may be kept on the server: refused (`value_not_allowed`) unless the source passes through. Default false. */
  readonly pass_through?: boolean
}

/** All outcomes after `acknowledged` in their order, then what is still queued of this request. */
export interface PushOutcomes {
  /** The present epoch of the collection. */
  readonly epoch: string
  /** Those after `acknowledged` in their order, then what is still queued of this request. */
  readonly outcomes: readonly Outcome[]
}

const id = string({ minLength: 1, maxLength: 1024 })

export const mutationSchema: Schema<Mutation> = object<Mutation>({
  number: integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  key: string({ minLength: 16, maxLength: 128 }),
  operation: oneOf(...OPERATIONS),
  object: id,
  attributes: optional(attributesSchema),
  was: optional(attributesSchema),
  changed: optional(list(string())),
  seen: optional(integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  owners: optional(list(id)),
  sent: optional(boolean),
  blobs: optional(list(string())),
  blobs_lost: optional(boolean),
})

export const pushSchema: Schema<Push> = object<Push>({
  epoch: string({ minLength: 1, maxLength: 256 }),
  acknowledged: integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  mutations: list(mutationSchema, { maxItems: MAX_MUTATIONS }),
  pass_through: optional(boolean),
})

export const pushedSchema: Schema<PushOutcomes> = object<PushOutcomes>({
  epoch: string(),
  outcomes: list(outcomeSchema),
})
