import { type SourceError, sourceErrorSchema } from '../device/outcome.js'
import { boolean, integer, nullable, object, type Schema, string } from '../schema.js'

/** Removals of a partition that are held back, since they are more than the source's `maxRemovedShare`. */
export interface PendingRemovals {
  /** The number of objects that the last query would have removed. */
  readonly count: number
  /** Since when queries have asked for them, ISO 8601 UTC. */
  readonly since: string
  /** From when on a query that agrees applies them, ISO 8601 UTC; null: only if an operator accepts them. */
  readonly confirm_at: string | null
  /** True if an operator accepted them, and no query has applied them yet. */
  readonly accepted: boolean
}

/** The state of a partition of a source. */
export interface PartitionState {
  /** The partition, such as `user:ada`, or `*` for an app source. */
  readonly partition: string
  /** Increases with each write that changes something; 0 if there was none. */
  readonly version: number
  /** Time of the last change, ISO 8601 UTC; null if there was none, or if it is older than the document's history. */
  readonly changed_at: string | null
  /** The number of objects. */
  readonly count: number
  /** Time of the last successful query, ISO 8601 UTC; null if there was none. */
  readonly queried_at: string | null
  /** When the next query is due, counted from the end of the last one, ISO 8601 UTC; null if none is scheduled. */
  readonly next_query: string | null
  /** True if a query was requested; the next pull runs it. */
  readonly query_requested: boolean
  /** Why the last query failed; null if it succeeded. */
  readonly error: SourceError | null
  /** The removals that are held back; null if none are. */
  readonly pending_removals: PendingRemovals | null
}

export const pendingRemovalsMembers = {
  count: integer({ minimum: 0 }),
  since: string(),
  confirm_at: nullable(string()),
  accepted: boolean,
} as const

export const partitionStateSchema: Schema<PartitionState> = object<PartitionState>({
  partition: string(),
  version: integer({ minimum: 0 }),
  changed_at: nullable(string()),
  count: integer({ minimum: 0 }),
  queried_at: nullable(string()),
  next_query: nullable(string()),
  query_requested: boolean,
  error: nullable(sourceErrorSchema),
  pending_removals: nullable(object<PendingRemovals>(pendingRemovalsMembers)),
})
