import { type SourceError, sourceErrorSchema } from '../device/outcome.js'
import { boolean, integer, nullable, object, type Schema, string } from '../schema.js'

/** The state of a partition of a source. */
export interface PartitionState {
  /** The partition, such as `user:ada`, or `*` for an app source. */
  readonly partition: string
  /** Increases with each write that changes something; 0 if there was none. */
  readonly version: number
  /** Time of the last change, to the second, ISO 8601 UTC; null if there was none, or if it is older than the document's history. */
  readonly changed_at: string | null
  /** The number of objects. */
  readonly count: number
  /** Time of the last successful query, ISO 8601 UTC; null if there was none. */
  readonly queried_at: string | null
  /** When the next query is due, ISO 8601 UTC; null if none is scheduled. */
  readonly next_query: string | null
  /** True if a query was requested; the next pull runs it. */
  readonly asked: boolean
  /** Why the last query failed; null if it succeeded. */
  readonly error: SourceError | null
}

export const partitionStateSchema: Schema<PartitionState> = object<PartitionState>({
  partition: string(),
  version: integer({ minimum: 0 }),
  changed_at: nullable(string()),
  count: integer({ minimum: 0 }),
  queried_at: nullable(string()),
  next_query: nullable(string()),
  asked: boolean,
  error: nullable(sourceErrorSchema),
})
