import type { Attributes } from '../object-map.js'
import { attributesSchema } from '../object-map-schema.js'
import { integer, literal, object, oneOf, optional, type Schema, string } from '../schema.js'
import { OUTCOME_STATUSES, type OutcomeStatus } from './vocabulary.js'

/** One outcome, in a push's answer or in a page. */
export interface Outcome {
  /** Counts from 1 per (client, source) in order of decision; the device acknowledges by it. Absent while `queued`. */
  readonly outcome?: number
  /** The number of the mutation. */
  readonly number: number
  readonly status: OutcomeStatus
  /** The real id of a created object. Absent: the temporary id stays. */
  readonly link?: string
  /** With a link: the temporary id. */
  readonly object?: string
  /** The version of the object (or of its tombstone) after it, written or not; the head of the collection where it has neither. */
  readonly version: number
  /** The whole object as it now stands on the server. Absent: as the device saw it with its changes on top, or there is none. */
  readonly attributes?: Attributes
  /** Of an applied update: the collection does not have the object. It was removed while the call was under way and not brought back, or never was there. */
  readonly removed?: true
  /** Why it was not applied. */
  readonly error?: SourceError
}

/** A message for the people who use the device. */
export interface SourceError {
  /** From the documented list of codes. */
  readonly code: string
  /** A sentence, in the words of the source where it gave any. */
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
  error: optional(sourceErrorSchema),
})
