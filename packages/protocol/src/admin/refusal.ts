import { type SourceError, sourceErrorSchema } from '../device/outcome.js'
import { OUTCOME_STATUSES, type OutcomeStatus } from '../device/vocabulary.js'
import { integer, list, object, oneOf, optional, type Schema, string } from '../schema.js'
import {
  type MutationContent,
  type MutationFacts,
  mutationContentMembers,
  mutationFactMembers,
} from './mutation-facts.js'

/** Which refused mutations. */
export interface RefusalList {
  /** Those of this user. */
  readonly user?: string
  /** Those of this source. */
  readonly source?: string
  /** Those that ended in this way. */
  readonly status?: 'refused' | 'conflict' | 'gone' | 'depends_on_refused'
  /** Those behind this id. */
  readonly after?: string
  /** Default 100. */
  readonly limit?: number
}

/** A mutation that was not applied; without its attributes, which are the user's. Kept for 30 days, the last 200 of each user. */
export interface Refusal extends MutationFacts {
  /** Names it in `GET /rc/v1/refusals/<refusal_id>`. */
  readonly id: string
  /** When it was decided, ISO 8601 UTC. */
  readonly refused_at: string
  /** `refused`: by the backend or an operator; `conflict`, `gone`: the object was changed or removed meanwhile; `depends_on_refused`: an object that it belongs to was refused. */
  readonly status: OutcomeStatus
  /** What the device is told. */
  readonly error: SourceError
}

/** Refused mutations, newest first. One request looks at 2,000 at most, so that a filter may find none and still have a `next`. */
export interface RefusalPage {
  /** What was found. */
  readonly refusals: readonly Refusal[]
  /** For `after` of the next request. Absent: this was the end. */
  readonly next?: string
}

/** A refused mutation with what its device wanted. */
export interface RefusalContent extends Refusal, MutationContent {}

export const refusalListSchema: Schema<RefusalList> = object<RefusalList>({
  user: optional(string({ minLength: 1 })),
  source: optional(string({ minLength: 1 })),
  status: optional(oneOf('refused', 'conflict', 'gone', 'depends_on_refused')),
  after: optional(string()),
  limit: optional(integer({ minimum: 1, maximum: 1000 })),
})

const members = {
  id: string(),
  refused_at: string(),
  ...mutationFactMembers,
  status: oneOf(...OUTCOME_STATUSES),
  error: sourceErrorSchema,
} as const

export const refusalPageSchema: Schema<RefusalPage> = object<RefusalPage>({
  refusals: list(object<Refusal>(members)),
  next: optional(string()),
})

export const refusalContentSchema: Schema<RefusalContent> = object<RefusalContent>({
  ...members,
  ...mutationContentMembers,
})
