import { type SourceError, sourceErrorSchema } from '../device/outcome.js'
import { OUTCOME_STATUSES, type OutcomeStatus } from '../device/vocabulary.js'
import type { Attributes } from '../object-map.js'
import { attributesSchema } from '../object-map-schema.js'
import { integer, list, nullable, object, oneOf, optional, type Schema, string } from '../schema.js'
import {
  type MutationContent,
  type MutationFacts,
  mutationContentMembers,
  mutationFactMembers,
} from './mutation-facts.js'

/** Which mutations. */
export interface UndecidedList {
  /** `started`: those whose process is gone. Default `in_doubt`. */
  readonly state?: 'queued' | 'started' | 'in_doubt'
  /** Those behind this id. */
  readonly after?: string
  /** Default 100. */
  readonly limit?: number
}

/** A mutation that a device sent and that has no outcome yet; without its attributes, which are the user's. */
export interface UndecidedMutation extends MutationFacts {
  /** For retry and discard. */
  readonly id: string
  /** `queued`: not begun. `started`: its process is gone. `in_doubt`: the backend never answered. */
  readonly state: 'queued' | 'started' | 'in_doubt'
  /** What the source got as its idempotency key. */
  readonly key: string
  /** How often the source was called. */
  readonly attempts: number
  /** Why it is in doubt; null: it is not. */
  readonly error: { readonly code: string; readonly message: string } | null
}

/** A mutation as its device sent it, beside the object as it is now: for the operator who decides what becomes of it. */
export interface SentMutation extends Omit<UndecidedMutation, 'state'>, MutationContent {
  /** `decided`: it has its outcome, of which its device has not heard yet. */
  readonly state: UndecidedMutation['state'] | 'decided'
  /** Temporary ids that it names and whose creates were undecided when it was sent. */
  readonly owners: readonly string[]
  /** The object as the server holds it now. Null: it does not. */
  readonly present: {
    /** Of the write that changed it last. */
    readonly version: number
    readonly attributes: Attributes
  } | null
  /** What became of it. Null: it is not decided. */
  readonly outcome: RetryResult | null
}

/** What an operator found in the backend: the mutation was done there, and this is what came of it. */
export interface MutationSettlement {
  /** The real id, of a create. Absent: the temporary id stays. */
  readonly object?: string
  /** What the backend made of the attributes: laid over those that the device wanted. */
  readonly attributes?: Attributes
}

/** What became of a mutation that was retried or settled; without attributes, which are the user's. */
export interface RetryResult {
  /** `queued`: not known yet, as with a source whose workers do it; then `undecided` or the device tells. */
  readonly status: OutcomeStatus
  /** The real id of a created object. Absent: the temporary id stays. */
  readonly link?: string
  /** Why it was not applied. */
  readonly error?: SourceError
}

export const undecidedListSchema: Schema<UndecidedList> = object<UndecidedList>({
  state: optional(oneOf('queued', 'started', 'in_doubt')),
  after: optional(string()),
  limit: optional(integer({ minimum: 1, maximum: 1000 })),
})

const members = {
  id: string(),
  ...mutationFactMembers,
  key: string(),
  attempts: integer({ minimum: 0 }),
  error: nullable(object<{ readonly code: string; readonly message: string }>({ code: string(), message: string() })),
} as const

export const undecidedSchema: Schema<readonly UndecidedMutation[]> = list(
  object<UndecidedMutation>({ ...members, state: oneOf('queued', 'started', 'in_doubt') }),
)

export const mutationSettlementSchema: Schema<MutationSettlement> = object<MutationSettlement>(
  { object: optional(string({ minLength: 1, maxLength: 1024 })), attributes: optional(attributesSchema) },
  { closed: true },
)

export const retriedSchema: Schema<RetryResult> = object<RetryResult>({
  status: oneOf(...OUTCOME_STATUSES),
  link: optional(string()),
  error: optional(sourceErrorSchema),
})

export const sentMutationSchema: Schema<SentMutation> = object<SentMutation>({
  ...members,
  state: oneOf('queued', 'started', 'in_doubt', 'decided'),
  ...mutationContentMembers,
  owners: list(string()),
  present: nullable(
    object<NonNullable<SentMutation['present']>>({ version: integer({ minimum: 0 }), attributes: attributesSchema }),
  ),
  outcome: nullable(retriedSchema),
})
