import type { ObjectId, PartitionParameters } from '@godwit/protocol'
import type { Log } from './log.js'

/**
 * One reader for all partitions of the sources that have it. Sources with the same feed object share it. One process at a time runs it; another one
 * takes over when that process ends or is suspended.
 */
export interface Feed {
  /** Identifies the feed in the store, so it stays the same across restarts. Default: the name of its only source; needed if several share it. */
  readonly name?: string
  /**
   * Yields batches until `signal` aborts. The server applies a batch to the partitions that exist, then stores its cursor, and only then asks for the
   * next one: what was yielded last may be yielded again after a restart. Throw `cursorGone()` if `cursor` is unknown; on any other error, or if it
   * returns, the feed is opened again after a pause with the cursor stored last.
   */
  open(context: FeedContext): AsyncIterable<FeedBatch>
}

/** The context of a running feed. */
export interface FeedContext {
  /** The cursor of the last batch that was applied. `null`: there is none; the cursor of the first batch is then from before any later reading. */
  readonly cursor: string | null
  /** The names of the sources that share the feed, in alphabetical order. */
  readonly sources: readonly string[]
  /** Aborted when another process takes over, or the server stops. Batches that are yielded afterwards are not applied. */
  readonly signal: AbortSignal
  readonly log: Log
  /**
   * Resolves to the proofs that reads recorded by `recordProof` and no batch has replaced yet, in no order. A feed that uses proofs verifies them
   * together with its cursor, and throws `cursorGone()` if the backend does not know one that it should know.
   */
  proofs(): Promise<readonly string[]>
}

/** The partitions that a change or a new reading is about. */
export interface FeedTarget {
  /** The name of the source. Default: the only source of the feed. */
  readonly source?: string
  /** The login of a user: the partition that the source gives this user. */
  readonly user?: string
  /** The name of a partition, as returned by `partitionName`. Absent, without `user`: the partition of an app source. */
  readonly partition?: string
  /**
   * The partition of a source with `by`. Default for a change with attributes: the one that they name. Required for a removal; without it, `reread` means all
   * partitions of the source.
   */
  readonly parameters?: PartitionParameters
}

/** One object that changed in one partition. An object that moves between partitions is two changes: `null` in the old one, whole in the new one. */
export interface FeedChange extends FeedTarget {
  readonly id: ObjectId | number
  /** All attributes of the object; `null`: it is no longer in the partition. */
  readonly attributes: object | null
  /** The partition of a source with `by` that the object left, if it moved with this change. It is removed there. */
  readonly from?: PartitionParameters
}

/** A step of a feed. */
export interface FeedBatch {
  /** Where to continue after this batch, at most 64 KiB. Opaque to the server. Equal to the previous one: nothing is stored. */
  readonly cursor: string
  /** In the order of the backend: the last change of an object wins. Partitions that no device has opened are skipped. */
  readonly changes?: readonly FeedChange[]
  /**
   * Partitions whose changes are unknown, as after a truncated table: they are read again by `query`, and what differs is applied. Without `user` and
   * `partition`, all partitions of the source.
   */
  readonly reread?: readonly FeedTarget[]
  /** The proofs that `proofs()` returned and that this cursor replaces. */
  readonly proofs?: readonly string[]
  /**
   * True if something that was written to the backend after the previous heartbeat came back through the feed, which proves that it is up to date.
   * Yield one at most 10 seconds apart: after `limits.feedSilence` seconds without one, the sources count as stale.
   */
  readonly heartbeat?: boolean
  /**
   * When reading the rows of the batch began, in milliseconds since 1970 by the clock of this process. What devices wrote later is not overwritten, but
   * read again by `get` or `query`. Default: when the previous batch was done.
   */
  readonly readAt?: number
  /** When the oldest change of the batch was committed, in milliseconds since 1970, corrected to the clock of this process. For the lag metric. */
  readonly committedAt?: number
  /** What waits in the backend to be read. For metrics and the console. */
  readonly waiting?: { readonly rows: number; readonly bytes?: number }
}
