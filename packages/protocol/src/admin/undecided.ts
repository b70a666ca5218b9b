import { type SourceError, sourceErrorSchema } from '../device/outcome.js'
import { OUTCOME_STATUSES, type OutcomeStatus } from '../device/vocabulary.js'
import { integer, list, nullable, object, oneOf, optional, type Schema, string } from '../schema.js'

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
export interface Undecided {
  /** For retry and discard. */
  readonly id: string
  /** `queued`: not begun. `started`: its process is gone. `in_doubt`: the backend never answered. */
  readonly state: 'queued' | 'started' | 'in_doubt'
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
  /** What the source got as its idempotency key. */
  readonly key: string
  /** How often the source was called. */
  readonly attempts: number
  /** Why it is in doubt; null: it is not. */
  readonly error: { readonly code: string; readonly message: string } | null
}

/** What became of a mutation that was retried; without attributes, which are the user's. */
export interface Retried {
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

export const undecidedSchema: Schema<readonly Undecided[]> = list(
  object<Undecided>({
    id: string(),
    state: oneOf('queued', 'started', 'in_doubt'),
    source: string(),
    partition: string(),
    user: string(),
    client: string(),
    operation: oneOf('create', 'update', 'delete'),
    object: string(),
    key: string(),
    attempts: integer({ minimum: 0 }),
    error: nullable(object({ code: string(), message: string() })),
  }),
)

export const retriedSchema: Schema<Retried> = object<Retried>({
  status: oneOf(...OUTCOME_STATUSES),
  link: optional(string()),
  error: optional(sourceErrorSchema),
})
