import { type SourceError, sourceErrorSchema } from '../device/outcome.js'
import { OUTCOME_STATUSES, type OutcomeStatus } from '../device/vocabulary.js'
import { integer, list, object, oneOf, optional, type Schema, string } from '../schema.js'
import {
  type MutationContent,
  type MutationFacts,
  mutationContentMembers,
  mutationFactMembers,
} from './mutation-facts.js'

/** Selects refused mutations. */
export interface RefusalList {
  /** Only mutations of this user. */
  readonly user?: string
  /** Only mutations of this source. */
  readonly source?: string
  /** Only mutations with this status. */
  readonly status?: 'refused' | 'conflict' | 'gone' | 'depends_on_refused'
  /** Returns refusals after this id. */
  readonly after?: string
  /** Default 100. */
  readonly limit?: number
}

/** A mutation that was not applied, without its attributes, which are the user's data. Kept for 30 days, at most 200 for each user. */
export interface Refusal extends MutationFacts {
  /** The id for `GET /rc/v1/refusals/<refusal_id>`. */
  readonly id: string
  /** Time of the decision, ISO 8601 UTC. */
  readonly refused_at: string
  /**
   * `refused`: by the backend or an operator; `conflict`, `gone`: the object was changed or removed meanwhile; `depends_on_refused`: it references an
   * object whose creation was refused.
   */
  readonly status: OutcomeStatus
  /** The error that the device receives. */
  readonly error: SourceError
}

/** Refused mutations, newest first. One request scans at most 2,000, so a filter may return none and still have a `next`. */
export interface RefusalPage {
  /** The matching refusals. */
  readonly refusals: readonly Refusal[]
  /** Pass it as `after` in the next request. Absent on the last page. */
  readonly next?: string
}

/** A refused mutation with its content. */
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
