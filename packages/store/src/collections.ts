import type { Attributes, ObjectId, ObjectMap, SourceError } from '@godwit/protocol'
import type { OutcomePage, Outcomes } from './outcomes.js'

/** The master document of one source in one partition. */
export interface CollectionId {
  readonly source: string
  /** Whose copy, as the server spells it: hostile text, never interpreted by a store. */
  readonly partition: string
}

/** Where a collection stands: all members of one moment. */
export interface Head {
  /** Random; new after a drop. Reset and restore-by-command drop too. */
  readonly epoch: string
  /** Counts the batches that changed something. 0: nothing was ever written. */
  readonly version: number
  /** The random mark of the batch `version`; of version 0 the mark made with the epoch. */
  readonly mark: string
  /** Live objects. */
  readonly count: number
  /** Σ hash64(id, version) over live objects, as `Checksum` writes it. */
  readonly checksum: string
  /** Tombstones up to this version and batch rows below it may be gone; the floor's own batch row stays, a reader may stand there. */
  readonly floor: number
  /** How often somebody asked for a query; due while above `served`. */
  readonly asked: number
  /** When the collection was last pulled, by the store's clock in milliseconds since 1970. Absent: never. */
  readonly askedAt?: number
  /** The `asked` that the last successful query began under. */
  readonly served: number
  /** When a query last succeeded, by the store's clock in milliseconds since 1970. Absent: never, in this epoch. */
  readonly queriedAt?: number
  /** When the next query is due, in milliseconds since 1970. Absent: no time is set. */
  readonly nextQuery?: number
  /** Why the last query failed; gone with the next success. */
  readonly sourceError?: SourceError
}

/**
 * One atomic change of a collection. Applied in the order of these members; at most 1,000 ids in all. A caller that keeps it to about 1 MiB of JSON holds no store for long.
 * Ids are made well-formed (lone surrogates replaced); an empty one, one over 1,024 bytes, or too many are `body_invalid`, and nothing is changed.
 */
export interface Batch {
  /** Attributes that go, per object. An object whose last attribute goes here, and that gets none by the members below, is removed. Unknown objects and names are no error. */
  readonly removeAttributes?: { readonly [id: ObjectId]: readonly string[] }
  /** Whole objects. `null` attributes are left out. */
  readonly replace?: ObjectMap
  /** Attributes that are set; `null` removes one; objects that do not live are created. Never removes an object: `{}` is one. */
  readonly merge?: ObjectMap
  /** Objects that go. Each leaves a tombstone with the new version, known before or not (one that is a tombstone already gets the new version only while a query runs). */
  readonly remove?: readonly ObjectId[]
}

/** Objects of one batch at most. */
export const MAX_BATCH = 1000

/** What a write must find to be done. */
export interface Guard {
  /** Refused (`epoch`) when the collection has another epoch or does not exist. */
  readonly epoch?: string
}

/** An API user: one who pushed objects, or who edited the document. */
export interface WriterOrigin {
  readonly kind: 'push' | 'edit'
  readonly login: string
}

/** Who made a commit: a query of the source, an API user, or a device. */
export type ChangeOrigin =
  | { readonly kind: 'query' }
  | WriterOrigin
  | { readonly kind: 'device'; readonly user: string; readonly client: string }

/** What a batch must find to be written, and who writes it. */
export interface ApplyOptions extends Guard {
  /** Noted in the change log. Absent: not known. */
  readonly origin?: WriterOrigin | undefined
}

/** One version of an object, as the change log tells it. */
export interface ObjectVersion {
  readonly version: number
  /** `written`: created or changed; the log does not tell which. */
  readonly operation: 'created' | 'changed' | 'removed' | 'written'
  /** Milliseconds since 1970. Absent: the log has forgotten the commit. */
  readonly time?: number
  /** Absent: not known. */
  readonly origin?: ChangeOrigin
}

/** The versions of an object, and what is known of those before. */
export interface ObjectHistory {
  readonly state: StoredObjectState['state']
  /** Newest first, the present one included. */
  readonly versions: readonly ObjectVersion[]
  /** Versions before the last one listed. `none`: it was the first. `more`: over the limit. `forgotten`: the log does not go back further. */
  readonly earlier: 'none' | 'more' | 'forgotten'
}

/** Where a collection stands after a batch. */
export interface AppliedBatch {
  /** The head's version after it: a new one only if something changed. */
  readonly version: number
  readonly mark: string
  readonly epoch: string
  /** Rows written: objects created, changed or removed, tombstones of unknown ids, equal writes while a query runs. 0 exactly when there is no new version. */
  readonly changed: number
  readonly count: number
}

/**
 * Why a write was refused; nothing was changed. `epoch`: the collection was dropped or recreated. `fence`: the lease is lost. `share`: the write
 * would remove too much. `floor`: what it must not overwrite is no longer known. A `replace` that loses its epoch or fence between two
 * batches is refused too; the batches that it wrote stay, each whole.
 */
export interface RefusedWrite<Reason extends string> {
  readonly refused: Reason
}

/** A place in the order of changes: by version, then by the UTF-8 bytes of the id. */
export interface Position {
  readonly version: number
  /** Rows of `version` up to this id are before the position. */
  readonly id: string
}

/** The position of a reader of changes, with what proves that it is still valid. */
export interface ReadPosition {
  readonly epoch: string
  /** The head of the read that the position came from, and that version's mark. */
  readonly head: number
  readonly mark: string
  /** Everything up to here is on the reader's side; 0 in a pass from zero. */
  readonly base: number
  /** In a pass from zero (`base` 0): the head when it began. Else 0. */
  readonly start: number
  readonly after: Position
}

/** One row of the history: an object as JSON text, or a tombstone. */
export interface ChangeRow {
  readonly id: ObjectId
  readonly version: number
  /** The attributes as stored JSON text; null: a tombstone. */
  readonly text: string | null
}

/** A page of a collection's change log. */
export interface Changes {
  readonly head: Head
  /** True: `from` was absent or void, the rows begin a pass from zero. */
  readonly fromZero: boolean
  /** In order. */
  readonly rows: readonly ChangeRow[]
  /** There may be more up to the head: as many came as were asked for, or as the store reads at once, which is one at least. */
  readonly more: boolean
}

/** What one pull reads: the changes after a position, and the outcomes of the client, in one consistent read. */
export interface DevicePage extends Changes {
  /** In one answer as many as were asked for, or as the store reads at once: one at least, if there is one. */
  readonly outcomePage: Outcomes & {
    /** There may be more. */
    readonly more: boolean
  }
}

/** Which page of rows and outcomes a device reads. */
export interface DevicePageOptions {
  readonly from?: ReadPosition | undefined
  /** Rows. */
  readonly limit: number
  readonly client: string
  readonly outcomes: OutcomePage
}

/** What the replacement of a collection must find, so that an old query overwrites nothing newer. */
export interface ReplaceOptions {
  readonly epoch: string
  /** The fence of the collection's `query` lease, which must be held (unexpired) all along. */
  readonly fence: number
  /** The head's version when the query began, less what `settle` takes off. What changed after it is spared. */
  readonly since: number
  /** The head's `asked` when the query began: served by it. */
  readonly asked: number
  /** Refused (`share`) when more than this share of the objects would go, in collections of more than 100. 1: never. */
  readonly maxRemovedShare: number
  /** When the next query is due, in milliseconds since 1970. Absent: no time. Set only where the head's is still `nextQueryBefore`. */
  readonly nextQuery?: number | undefined
  /** The head's `nextQuery` when the query began: a time that somebody set meanwhile stays. Absent: there was none. */
  readonly nextQueryBefore?: number | undefined
}

/** How a query failed; the times are those of `ReplaceOptions`. */
export interface QueryFailure extends Pick<ReplaceOptions, 'nextQuery' | 'nextQueryBefore'> {
  readonly error: SourceError
}

/** What a replacement did: the new version, and counts of objects. */
export interface ReplaceResult {
  readonly version: number
  readonly count: number
  readonly changed: number
  readonly removed: number
  /** Objects left alone because they changed after `since` and differ; with any, `asked` has grown. */
  readonly spared: number
}

/** What is known about an object. `never`: neither object nor tombstone. */
export type StoredObjectState =
  | { readonly state: 'live'; readonly version: number; readonly attributes: Attributes }
  | { readonly state: 'gone'; readonly version: number }
  | { readonly state: 'never' }

/** A client (or a snapshot) whose position holds the floor. */
export interface Reader {
  readonly reader: string
  /** The last base seen; in a pass from zero its start. */
  readonly base: number
  /** When it was recorded, by the store's clock in milliseconds since 1970. */
  readonly at: number
}

/**
 * Master documents with history. Every operation is whole and atomic; a collection comes into being with the first `open` or `apply` without guard.
 * Equal content is no change, except while the collection's `query` lease is held: then an equal write gets the new version too.
 * So does an equal `apply` of an object one of whose mutations is started: the backend may have put back what the call changed, and the settlement has to know that it said something.
 * A pull reads rows after a position by one index range, so that its cost is the rows read.
 */
export interface Collections {
  /** Its head; made, with a new epoch, if it does not exist. */
  open(collection: CollectionId): Promise<Head>

  /** Its head, or undefined if it does not exist. */
  head(collection: CollectionId): Promise<Head | undefined>

  /** One atomic step, one new version; nothing changed → no new version. Durable before it resolves. */
  apply(collection: CollectionId, batch: Batch, options?: ApplyOptions): Promise<AppliedBatch | RefusedWrite<'epoch'>>

  /**
   * The result of a query replaces the collection. Staged while the stream runs (bounded memory, later parts win over earlier ones);
   * then guard, floor and removed share are checked; then applied in atomic batches of at most 1,000, changes first, removals last, the fence checked with each.
   * Rows changed after `since` by anybody else are neither overwritten nor removed. Equal objects cost no write.
   * At the end `served` and `queriedAt` are set, `nextQuery` where it is still what it was at the begin, and `sourceError` goes. If the stream throws, the promise rejects with its error and nothing changed.
   */
  replace(
    collection: CollectionId,
    parts: AsyncIterable<ObjectMap>,
    options: ReplaceOptions,
  ): Promise<ReplaceResult | RefusedWrite<'epoch' | 'fence' | 'share' | 'floor'>>

  /**
   * One consistent read of rows strictly after the position, with the head. `from` is void, and the rows begin at zero, if it is absent, of another epoch,
   * above the head, of another mark, or if its base (in a pass from zero: its start) is below the floor.
   * A pass from zero leaves out tombstones up to its start (of a void `from`: up to the present head). Limit 0: the head alone.
   */
  changes(
    collection: CollectionId,
    options: { readonly from?: ReadPosition | undefined; readonly limit: number },
  ): Promise<Changes | undefined>

  /** `changes` and the journal's `outcomes` in one consistent read: no outcome tells of a version that the rows don't know. */
  page(collection: CollectionId, options: DevicePageOptions): Promise<DevicePage | undefined>

  /** Live objects of these ids; the others are left out. */
  get(collection: CollectionId, ids: readonly ObjectId[]): Promise<ObjectMap>

  /** What is known about one object. */
  look(collection: CollectionId, id: ObjectId): Promise<StoredObjectState>

  /**
   * Who changed an object, and when, newest first. The change log has one row per commit: the last 200 of a collection, and one more for every 100 objects,
   * for 90 days. A commit of more than 100 objects is logged without their ids, so that what was before it is forgotten.
   */
  history(collection: CollectionId, id: ObjectId, page: { readonly limit: number }): Promise<ObjectHistory>

  /** Live objects in order of id, as stored JSON text with their versions. */
  list(
    collection: CollectionId,
    page: { readonly after?: ObjectId | undefined; readonly limit: number },
  ): Promise<readonly ChangeRow[]>

  /** The version that was the head at a time (milliseconds since 1970), the floor if that is before it, 0 if there is no collection. For sources whose backends show writes late. */
  versionAt(collection: CollectionId, time: number): Promise<number>

  /** Requests a query, or sets the due time with `at`; only a query begun later clears it. Makes no collection. */
  requestQuery(collection: CollectionId, at?: number): Promise<void>

  /** Records that a query failed, and when the next is due, as `replace` does. Makes no collection. */
  recordFailure(collection: CollectionId, failure: QueryFailure): Promise<void>

  /** Records a reader's position, a hint that a crash may lose. Makes no collection. */
  recordReader(collection: CollectionId, reader: string, base: number): Promise<void>
  /** In order of their names. */
  readers(collection: CollectionId): Promise<readonly Reader[]>
  dropReader(collection: CollectionId, reader: string): Promise<void>

  /**
   * Removes up to `limit` tombstones at or below `below`, oldest first, and raises the floor in the same step: to `below`, never above the head, or with `more`
   * to the last one that went. Does nothing while the `query` lease is held.
   */
  compact(
    collection: CollectionId,
    options: { readonly below: number; readonly limit: number },
  ): Promise<{ readonly removed: number; readonly more: boolean }>

  /** Removes what the history tells of commits older than 90 days; a bounded number of them stands there. Makes no collection. */
  forgetHistory(collection: CollectionId): Promise<void>

  /** Rows, history, journal and readers go; what comes after has a new epoch. Fences are never given again. */
  drop(collection: CollectionId): Promise<void>

  /** All collections in order of (source, partition), of one source or partition if given. */
  collections(page: {
    readonly source?: string | undefined
    readonly partition?: string | undefined
    readonly after?: CollectionId | undefined
    readonly limit: number
  }): Promise<readonly CollectionId[]>
}
