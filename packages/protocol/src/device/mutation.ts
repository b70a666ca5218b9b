import type { Attributes, ObjectId } from '../object-map.js'
import { attributesSchema } from '../object-map-schema.js'
import { boolean, integer, list, mapOf, object, oneOf, optional, type Schema, string } from '../schema.js'
import { hashSchema } from './blobs.js'
import { MAX_MUTATIONS } from './limits.js'
import { type Outcome, outcomeSchema } from './outcome.js'
import type { PartitionParameters } from './parameters.js'
import { parametersSchema } from './parameters-schema.js'
import { OPERATIONS, type Operation } from './vocabulary.js'

/** SHA-256 digests of attribute values, by attribute. */
export interface Digests {
  readonly [name: string]: string
}

/** A create, update or delete of one object. Number, key and content never change after the mutation was first sent. */
export interface Mutation {
  /** Counts from 1 per client, source (with `by`: partition) and epoch, without gaps. */
  readonly number: number
  /** Random; the permanent id of the mutation and the idempotency key for the source. */
  readonly key: string
  readonly operation: Operation
  /** The object's id; for a create, its temporary id. */
  readonly object: ObjectId
  /** For a create, all attributes; for an update, the changed ones (`null` removes one), or all with `full_update`. Absent for a delete. */
  readonly attributes?: Attributes
  /** Previous values of the changed attributes on the device (absent if it had none); for a delete, the whole object. Absent for a create. */
  readonly was?: Attributes
  /**
   * In place of members of `was` whose canonical text (RFC 8785) is longer than 256 characters: the SHA-256 of that text, in 64 lower-case
   * hexadecimal digits. It keeps a change of a large object small.
   */
  readonly was_digests?: Digests
  /** `full_update` only: the names of the attributes that changed; only these can conflict. */
  readonly changed?: readonly string[]
  /** The version of the object on the device. Absent if the object did not come from the collection (a search result, or a new epoch). */
  readonly seen?: number
  /** Temporary ids of this source that the mutation references and whose creates are undecided as far as the device knows. */
  readonly owners?: readonly ObjectId[]
  /** True if the mutation may have been sent under another client id or epoch. */
  readonly sent?: boolean
  /** The attributes that reference blobs by their SHA-256. In other attributes, text of 64 hexadecimal digits is plain text. */
  readonly blobs?: readonly string[]
  /**
   * True if the device cannot send a blob that the mutation references. If the server does not have it either, the mutation is refused
   * (`blobs_lost`).
   */
  readonly blobs_lost?: boolean
}

/** A push to one source, or to one partition of a source with `by`: at most 500 mutations or 1 MiB. */
export interface Push {
  /** The partition. Required for a source with `by`, and not allowed for another one. */
  readonly parameters?: PartitionParameters
  /** The collection's epoch at the device's last pull. */
  readonly epoch: string
  /** The device has applied all outcomes up to this number. */
  readonly acknowledged: number
  /** Mutations in the order of their numbers; may be empty, to request outcomes only. */
  readonly mutations: readonly Mutation[]
  /** If true, the server must not store the content: refused (`value_not_allowed`) unless the source is a pass-through source. Default false. */
  readonly pass_through?: boolean
}

/** Outcomes after `acknowledged`, then the mutations of this request that have none there: every mutation of the request is in it. */
export interface PushOutcomes {
  /** The current epoch of the collection. */
  readonly epoch: string
  /**
   * Outcomes after `acknowledged`, in order, at most 1,000, followed by `queued` for the request's mutations that are undecided or whose outcomes did
   * not fit.
   */
  readonly outcomes: readonly Outcome[]
}

const id = string({ minLength: 1, maxLength: 1024 })

export const digestsSchema: Schema<Digests> = mapOf(hashSchema)

export const mutationSchema: Schema<Mutation> = object<Mutation>({
  number: integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  key: string({ minLength: 16, maxLength: 128 }),
  operation: oneOf(...OPERATIONS),
  object: id,
  attributes: optional(attributesSchema),
  was: optional(attributesSchema),
  was_digests: optional(digestsSchema),
  changed: optional(list(string())),
  seen: optional(integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  owners: optional(list(id)),
  sent: optional(boolean),
  blobs: optional(list(string())),
  blobs_lost: optional(boolean),
})

export const pushSchema: Schema<Push> = object<Push>({
  parameters: optional(parametersSchema),
  epoch: string({ minLength: 1, maxLength: 256 }),
  acknowledged: integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  mutations: list(mutationSchema, { maxItems: MAX_MUTATIONS }),
  pass_through: optional(boolean),
})

export const pushedSchema: Schema<PushOutcomes> = object<PushOutcomes>({
  epoch: string(),
  outcomes: list(outcomeSchema),
})
