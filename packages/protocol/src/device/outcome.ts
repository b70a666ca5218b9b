import type { Attributes } from '../object-map.js'
import { attributesSchema } from '../object-map-schema.js'
import { integer, literal, object, oneOf, optional, type Schema, string } from '../schema.js'
import type { PartitionParameters } from './parameters.js'
import { parametersSchema } from './parameters-schema.js'
import { OUTCOME_STATUSES, type OutcomeStatus } from './vocabulary.js'

/** The outcome of one mutation, in the response to a push or in a page. */
export interface Outcome {
  /** Counts from 1 per client and source (with `by`: partition) in the order of decision; used in `acknowledged`. Absent while `queued`. */
  readonly outcome?: number
  /** The number of the mutation. */
  readonly number: number
  readonly status: OutcomeStatus
  /** The id that the backend assigned to a created object. Absent: the temporary id remains. */
  readonly link?: string
  /** The temporary id. Present only with `link`. */
  readonly object?: string
  /** The version of the object or its tombstone after the mutation, even if nothing was written. If neither exists, the version of the collection. */
  readonly version: number
  /** The object's current state on the server. Absent if it equals the object on the device with the changes applied, or if there is none. */
  readonly attributes?: Attributes
  /** Present on an applied mutation if the collection does not have the object: it was removed during the call, never existed, or moved. */
  readonly removed?: true
  /**
   * The partition in which the object is now, if the mutation or the backend moved it. `removed` is then set, since the object left the partition of
   * the push, and `attributes` has the whole object. Only for a source with `by`.
   */
  readonly moved?: PartitionParameters
  /**
   * What an applied update or delete replaced although the device had not seen it, by attribute: the values that the server had (`null`: none).
   * Absent if it replaced nothing of others.
   */
  readonly overwrote?: Attributes
  /** Why the mutation was not applied. */
  readonly error?: SourceError
}

/** An error message for the users of the device. */
export interface SourceError {
  /** A documented error code. */
  readonly code: string
  /** A sentence; the source's message if it provided one. */
  readonly message: string
}

export const sourceErrorSchema: Schema<SourceError> = object<SourceError>({ code: string(), message: string() })

export const outcomeSchema: Schema<Outcome> = object<Outcome>({
  outcome: optional(integer({ minimum: 1 })),
  number: integer({ minimum: 1 }),
  status: oneOf(...OUTCOME_STATUSES),
  link: optional(string()),
  object: optional(string()),
  version: integer({ minimum: 0 }),
  attributes: optional(attributesSchema),
  removed: optional(literal(true)),
  moved: optional(parametersSchema),
  overwrote: optional(attributesSchema),
  error: optional(sourceErrorSchema),
})
