import { type SourceError, sourceErrorSchema } from '../device/outcome.js'
import { boolean, integer, nullable, object, type Schema, string } from '../schema.js'

/** How a user's copy of a source stands. */
export interface PartitionState {
  /** Whose copy it is, as the server spells it. */
  readonly partition: string
  /** Counts the writes that changed something; 0: there was none. */
  readonly version: number
  /** When the last of them was, to the second, ISO 8601 UTC; null: there was none, or longer ago than the history of the document reaches. */
  readonly changed_at: string | null
  /** How many objects there are. */
  readonly count: number
  /** When a query last succeeded, ISO 8601 UTC; null: never. */
  readonly queried_at: string | null
  /** When the next query is due, ISO 8601 UTC; null: no time is set. */
  readonly next_query: string | null
  /** A query was asked for: the next pull runs it. */
  readonly asked: boolean
  /** Why the last query failed; null: it did not. */
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
