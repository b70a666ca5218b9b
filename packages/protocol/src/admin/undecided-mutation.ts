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

/** Selects undecided mutations. */
export interface UndecidedList {
  /** `started`: the process that started them no longer runs. Default `in_doubt`. */
  readonly state?: 'queued' | 'started' | 'in_doubt'
  /** Returns mutations after this id. */
  readonly after?: string
  /** Default 100. */
  readonly limit?: number
}

/** A mutation without an outcome. It excludes the attributes, which are the user's data. */
export interface UndecidedMutation extends MutationFacts {
  /** The id for retry, settle and discard. */
  readonly id: string
  /** `queued`: not started. `started`: the process that started it no longer runs. `in_doubt`: the backend never responded. */
  readonly state: 'queued' | 'started' | 'in_doubt'
  /** The idempotency key sent to the source. */
  readonly key: string
  /** The number of calls to the source. */
  readonly attempts: number
  /** Why the mutation is in doubt; null if it is not. */
  readonly error: { readonly code: string; readonly message: string } | null
}

/** A mutation with its content and the current object, for the operator who decides its outcome. */
export interface SentMutation extends Omit<UndecidedMutation, 'state'>, MutationContent {
  /** `decided`: it has an outcome that the device has not acknowledged. */
  readonly state: UndecidedMutation['state'] | 'decided'
  /** Temporary ids that it references and whose creates were undecided when it was sent. */
  readonly owners: readonly string[]
  /** The object's current state on the server. Null if the server does not have it. */
  readonly present: {
    /** The document version that last changed the object. */
    readonly version: number
    readonly attributes: Attributes
  } | null
  /** The outcome of the mutation. Null if undecided. */
  readonly outcome: RetryResult | null
}

/** The result that an operator found in the backend, which applied the mutation. */
export interface MutationSettlement {
  /** For a create, the id that the backend assigned. Absent: the temporary id remains. */
  readonly object?: string
  /** Attributes that the backend changed; they override those of the mutation. */
  readonly attributes?: Attributes
}

/** The outcome of a retried or settled mutation, without attributes, which are the user's data. */
export interface RetryResult {
  /** `queued`: not yet decided, because the source's workers process it; see `undecided`, or the device, later. */
  readonly status: OutcomeStatus
  /** The id that the backend assigned to a created object. Absent: the temporary id remains. */
  readonly link?: string
  /** Why the mutation was not applied. */
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
