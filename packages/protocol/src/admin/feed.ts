import { integer, list, nullable, number, object, type Schema, string } from '../schema.js'

/** A feed: what tells the server of changes in the partitions of one or several sources. Times are ISO 8601; null: not yet, or unknown. */
export interface FeedInfo {
  /** The name of the feed, or of its only source. */
  readonly name: string
  /** The sources that share it. */
  readonly sources: readonly string[]
  /** Since when nothing has proved that the feed is up to date; null: it is. */
  readonly stale_since: string | null
  /** When a heartbeat last came through the backend. */
  readonly heartbeat_at: string | null
  /** When changes were last applied. */
  readonly applied_at: string | null
  /** Seconds from the commit in the backend to the end of the last batch. */
  readonly lag: number | null
  /** Rows that waited in the backend at the last step. */
  readonly waiting_rows: number | null
  /** Their size in bytes. */
  readonly waiting_bytes: number | null
  /** How often the feed failed and was opened again. */
  readonly restarts: number
  /** The last error, until a heartbeat or a change comes through. */
  readonly error: string | null
  /** What to do about an error or silence; null: nothing. */
  readonly todo: string | null
  /** The stored position, at most its first 200 characters; opaque. */
  readonly cursor: string | null
}

export const feedInfoSchema: Schema<FeedInfo> = object({
  name: string(),
  sources: list(string()),
  stale_since: nullable(string()),
  heartbeat_at: nullable(string()),
  applied_at: nullable(string()),
  lag: nullable(number()),
  waiting_rows: nullable(integer()),
  waiting_bytes: nullable(integer()),
  restarts: integer(),
  error: nullable(string()),
  todo: nullable(string()),
  cursor: nullable(string()),
})
