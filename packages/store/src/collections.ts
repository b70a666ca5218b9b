import type { Attributes, ObjectId, ObjectMap, SourceError } from '@godwit/protocol'
import type { OutcomePage, Outcomes } from './outcomes.js'

/** The id of a collection, the master document of one source in one partition. */
export interface CollectionId {
  readonly source: string
  /** The partition, as spelled by the server: untrusted text, never interpreted by a store. */
  readonly partition: string
}

/** The state of a collection, with all members of one moment. */
export interface Head {
  /** A random id that changes with a drop, and so with a reset or restore command. */
  readonly epoch: string
  /** The number of batches that changed something; 0 for a collection that was never written. */
  readonly version: number
  /** The random mark of the batch `version`; for version 0 the one created with the epoch. */
  readonly mark: string
  /** The number of live objects. */
  readonly count: number
  /** Σ hash64(id, version) over live objects, as `Checksum` writes it. */
  readonly checksum: string
  /** Tombstones up to this version and batch rows below it may be removed. The floor's batch row remains, since a reader may be at it. */
  readonly floor: number
  /** How often a query was requested; one is due while this is above `queriesServed`. */
  readonly queriesRequested: number
  /** When a query was last requested, in milliseconds since 1970 by the store's clock. Absent: never. */
  readonly queryRequestedAt?: number
  /** The value of `queriesRequested` at the start of the last successful query. */
  readonly queriesServed: number
  /** When a query last succeeded, in milliseconds since 1970 by the store's clock. Absent: never in this epoch. */
  readonly queriedAt?: number
  /** When the next query is due, in milliseconds since 1970 by the store's clock. Absent: no time is set. */
  readonly nextQuery?: number
  /** When `nextQuery` was set, in milliseconds since 1970 by the store's clock. Absent without one. */
  readonly dueSetAt?: number
  /** When this head was read, in milliseconds since 1970 by the store's clock. The times above are only ever compared with it. */
  readonly readAt: number
  /** The error of the last query; absent after a success. */
  readonly sourceError?: SourceError
  /** The removals of the last successful query that were held back. Absent: it held none back. */
  readonly pendingRemovals?: PendingRemovals
  /** The sketch of the removals that an operator accepted. Absent: none, or they were applied, or no query finds too many any more. */
  readonly acceptedRemovals?: string
}

/** Removals that a query's result asks for and that were held back, since they would be too many. */
export interface PendingRemovals {
  /** How many objects the last query would have removed. */
  readonly count: number
  /** When a query first asked for them, in milliseconds since 1970 by the store's clock; all later ones agreed. */
  readonly since: number
  /** The ids, as `RemovedIds` sketches them. */
  readonly sketch: string
  /** From when on a query that agrees applies them, in milliseconds since 1970. Absent: only if an operator accepts them. */
  readonly confirmAt?: number
  /** The login for which the server may run that query. Absent: it runs none by itself. */
  readonly user?: string
}

/**
 * An atomic change of a collection, applied in the order of these members, with at most 1,000 ids in total. Callers should keep it below about 1 MiB
 * of JSON, so that the store is not blocked for long. Ids are made well-formed (lone surrogates replaced). An empty id, one over 1,024 bytes, or too
 * many ids are `body_invalid`, and nothing is changed.
 */
export interface Batch {
  /**
   * Attributes to remove, by object. An object that loses its last attribute here, and gets none from the members below, is removed. Unknown objects
   * and names are ignored.
   */
  readonly removeAttributes?: { readonly [id: ObjectId]: readonly string[] }
  /** Objects to replace as a whole. `null` attributes are left out. */
  readonly replace?: ObjectMap
  /** Attributes to set; `null` removes one. Missing objects are created, and no object is removed: `{}` is an object. */
  readonly merge?: ObjectMap
  /**
   * Objects to remove. Each leaves a tombstone with the new version, even if it was unknown; an existing tombstone gets the new version only while a
   * query runs.
   */
  readonly remove?: readonly ObjectId[]
}

/** The maximum number of objects in a batch. */
export const MAX_BATCH = 1000

/** The condition of a write. */
export interface Guard {
  /** The write is refused (`epoch`) if the collection has another epoch or does not exist. */
  readonly epoch?: string
}

/** The API user who pushed objects or edited the document. */
export interface WriterOrigin {
  readonly kind: 'push' | 'edit'
  readonly login: string
}

/** The origin of a commit: a query of the source, an API user, or a device. */
export type ChangeOrigin =
  | { readonly kind: 'query' }
  | WriterOrigin
  | { readonly kind: 'device'; readonly user: string; readonly client: string }

/** The condition and the origin of a batch. */
export interface ApplyOptions extends Guard {
  /** Recorded in the change log. Absent: unknown. */
  readonly origin?: WriterOrigin | undefined
}

/** One version of an object in the change log. */
export interface ObjectVersion {
  readonly version: number
  /** `written`: created or changed, if the log does not have enough to tell which. */
  readonly operation: 'created' | 'changed' | 'removed' | 'written'
  /** Milliseconds since 1970. Absent if the commit is no longer in the log. */
  readonly time?: number
  /** Absent if unknown. */
  readonly origin?: ChangeOrigin
}

/** The history of an object. */
export interface ObjectHistory {
  readonly state: StoredObjectState['state']
  /** Newest first, including the present version. */
  readonly versions: readonly ObjectVersion[]
  /**
   * Versions before the last one listed. `none`: it was the first. `more`: there are more, beyond the limit. `forgotten`: the log does not go back
   * further.
   */
  readonly earlier: 'none' | 'more' | 'forgotten'
}

/** The state of a collection after a batch. */
export interface AppliedBatch {
  /** The head's version afterwards; it increases only if something changed. */
  readonly version: number
  readonly mark: string
  readonly epoch: string
  /**
   * The number of rows written: objects created, changed or removed, tombstones of unknown ids, and equal writes while a query runs. 0 exactly if
   * there is no new version.
   */
  readonly changed: number
  readonly count: number
}

/**
 * The reason for which a write was refused; nothing was changed. `epoch`: the collection was dropped or recreated. `fence`: the lease is lost.
 * `floor`: the changes that it must not overwrite are no longer known. `cursor`: the collection has another cursor. A `replace` that loses its epoch or fence between two batches is also refused;
 * the batches already written stay, each complete.
 */
export interface RefusedWrite<Reason extends string> {
  readonly refused: Reason
}

/** A position in the order of changes: by version, then by the UTF-8 bytes of the id. */
export interface Position {
  readonly version: number
  /** The id of the last row of `version` before the position. */
  readonly id: string
}

/** The position of a reader of changes, with the facts that prove it valid. */
export interface ReadPosition {
  readonly epoch: string
  /** The version of the head when the position was read, and the mark of that version. */
  readonly head: number
  readonly mark: string
  /** The version up to which the reader has everything; 0 in a pass from zero. */
  readonly base: number
  /** The head's version at the start of a pass from zero (`base` 0), otherwise 0. */
  readonly start: number
  readonly after: Position
}

/** A row of the history: an object as JSON text, or a tombstone. */
export interface ChangeRow {
  readonly id: ObjectId
  readonly version: number
  /** The attributes as stored JSON text; null for a tombstone. */
  readonly text: string | null
}

/** A page of a collection's changes. */
export interface Changes {
  readonly head: Head
  /** True if `from` was absent or void, so that the rows begin a pass from zero. */
  readonly fromZero: boolean
  /** The rows, in order. */
  readonly rows: readonly ChangeRow[]
  /** True if there may be more rows up to the head. A page has as many as requested, or as the store reads at once, which is at least one. */
  readonly more: boolean
}

/** Rows of one read. */
export interface RowPage {
  readonly rows: readonly ChangeRow[]
  /** True if there may be more: the read has as many rows as its limit, or bytes as `READ_BYTES`. */
  readonly more: boolean
}

/** The data of one pull: changes after a position and outcomes of the client, in one consistent read. */
export interface DevicePage extends Changes {
  readonly outcomePage: Outcomes
}

/** The page of rows and outcomes that a device reads. */
export interface DevicePageOptions {
  readonly from?: ReadPosition | undefined
  /** The maximum number of rows. */
  readonly limit: number
  readonly client: string
  readonly outcomes: OutcomePage
}

/** The conditions of a replacement, so that an old query does not overwrite newer data. */
export interface ReplaceOptions {
  readonly epoch: string
  /** The fence of the collection's `query` lease, which must be held (unexpired) until the end. */
  readonly fence: number
  /** The head's version when the query began, or the earlier one that the source's `settle` time yields. Objects changed after it are spared. */
  readonly since: number
  /** The head's `queriesRequested` when the query began; these requests are served by it. */
  readonly queriesRequested: number
  /** Removals are held back if they are more than this share of the objects, in collections of more than 100. 1: never. */
  readonly maxRemovedShare: number
  /** When a query that agrees applies what was held back. Absent: only removals that an operator accepted. */
  readonly confirmation?: RemovalConfirmation | undefined
  /** Milliseconds from the end of the query until the next one is due. Absent: no time. Set only if the head still has `nextQueryBefore`. */
  readonly nextQueryIn?: number | undefined
  /** The head's `nextQuery` when the query began: a time that was set meanwhile is kept. Absent: there was none. */
  readonly nextQueryBefore?: number | undefined
}

/** How queries confirm removals that were held back. */
export interface RemovalConfirmation {
  /** Milliseconds for which queries must agree. */
  readonly after: number
  /** The same, for results without any object. */
  readonly afterNothing: number
  /** The login for which the server may repeat the query, recorded with the removals. Absent: it must not. */
  readonly user?: string
}

/** When a query is due next. */
export interface NextQuery extends Pick<ReplaceOptions, 'nextQueryBefore'> {
  /** In milliseconds by the store's clock. Absent: no time. Set only if the head still has `nextQueryBefore`. */
  readonly nextQuery?: number | undefined
}

/** The failure of a query. */
export interface QueryFailure extends NextQuery {
  readonly error: SourceError
}

/** The result of a replacement: the new version, and counts of objects. */
export interface ReplaceResult {
  readonly version: number
  readonly count: number
  readonly changed: number
  readonly removed: number
  /** Objects left alone because they changed after `since` and differ. If there are any, `queriesRequested` was incremented. */
  readonly spared: number
  /** The removals that were held back. Absent: none. */
  readonly pendingRemovals?: PendingRemovals | undefined
}

/** The conditions of changes that a source reported, and the cursor that belongs to them. */
export interface AdvanceOptions {
  readonly epoch: string
  /** Identifies who reads the source: `changes`, or a feed. Each has its own fences. */
  readonly reader: string
  /** The fence of the reader's lease. A collection that has seen a higher one of this reader refuses the write. */
  readonly fence: number
  /** The head's version when the changes were requested, or an earlier one. Objects changed after it are spared if they differ. */
  readonly since: number
  /** Moves the cursor of the collection, unless an object was spared. Absent: it stays. */
  readonly cursor?: CursorMove | undefined
  /** Records that a run ended which had read everything, unless an object was spared. */
  readonly end?: RunEndOptions | undefined
}

/** A change of a cursor. `null`: there is none. */
export interface CursorMove {
  /** The write is refused (`cursor`) if the collection has another one. */
  readonly previous: string | null
  readonly next: string | null
}

/** The end of a run of changes, which serves requests for queries like a replacement. It is not a query: `queriedAt` stays. */
export type RunEndOptions = Pick<ReplaceOptions, 'queriesRequested' | 'nextQueryIn' | 'nextQueryBefore'>

/** The state of a collection after changes of its source. */
export interface AdvancedBatch extends AppliedBatch {
  /** The objects that were left alone because they changed after `since` and differ. If there are any, cursor and end were not stored. */
  readonly spared: readonly ObjectId[]
}

/** The state of an object. `gone`: a tombstone. `never`: neither an object nor a tombstone. */
export type StoredObjectState =
  | { readonly state: 'live'; readonly version: number; readonly attributes: Attributes }
  | { readonly state: 'gone'; readonly version: number }
  | { readonly state: 'never' }

/** A client or snapshot whose position limits the floor. */
export interface Reader {
  readonly reader: string
  /** The last known base; in a pass from zero its start. */
  readonly base: number
  /** When it was recorded, by the store's clock in milliseconds since 1970. */
  readonly at: number
}

/**
 * Master documents with history. Every operation is atomic; the first `open`, or `apply` without a guard, creates a collection. Equal content is no
 * change, except while the collection's `query` lease is held: then an equal write also gets the new version. So does an equal `apply` of an object
 * with a started mutation: the backend may have restored what the call changed, and the settlement depends on that. A pull reads the rows after a
 * position in one index range, so its cost is proportional to the rows read.
 */
export interface Collections {
  /** Returns the head; creates the collection with a new epoch if it does not exist. */
  open(collection: CollectionId): Promise<Head>

  /** Returns the head, or undefined if the collection does not exist. */
  head(collection: CollectionId): Promise<Head | undefined>

  /** Applies a batch in one atomic step, with one new version, or none if nothing changed. Durable. */
  apply(collection: CollectionId, batch: Batch, options?: ApplyOptions): Promise<AppliedBatch | RefusedWrite<'epoch'>>

  /**
   * Replaces the collection with the result of a query. The stream is staged in bounded memory; later parts win over earlier ones. Then guard and
   * floor are checked, and the differences applied in atomic batches of at most 1,000, changes first, removals last, with a check of the fence for
   * each. Rows that others changed after `since` are neither overwritten nor removed. Equal objects cost no write. Removals of more than
   * `maxRemovedShare` are held back, as `judgeRemovals` decides, and become `pendingRemovals`; otherwise `pendingRemovals` and `acceptedRemovals` are
   * cleared. At the end it sets `queriesServed` and `queriedAt`, sets `nextQuery` (with a `user` no later than `confirmAt`) if it is still the value from the start, and
   * clears `sourceError`. If the stream throws, the promise rejects with its error and nothing is changed.
   */
  replace(
    collection: CollectionId,
    parts: AsyncIterable<ObjectMap>,
    options: ReplaceOptions,
  ): Promise<ReplaceResult | RefusedWrite<'epoch' | 'fence' | 'floor'>>

  /**
   * Applies changes that a source reported (objects as a whole, and removals), moves the cursor and records the end of a run, in one atomic, durable
   * step. An object that changed after `since` is spared if it differs: it is neither written nor removed, and cursor and end are not stored. A removal
   * leaves a tombstone, also of an unknown object.
   */
  advance(
    collection: CollectionId,
    batch: Pick<Batch, 'replace' | 'remove'>,
    options: AdvanceOptions,
  ): Promise<AdvancedBatch | RefusedWrite<'epoch' | 'fence' | 'floor' | 'cursor'>>

  /** Returns the cursor of the source's changes; `null` if there is none or no collection. */
  cursor(collection: CollectionId): Promise<string | null>

  /**
   * Reads rows strictly after the position and the head, in one consistent read. `from` is void, and the rows begin at zero, if it is absent, of
   * another epoch, above the head, of another mark, or if its base (in a pass from zero: its start) is below the floor. A pass from zero leaves out
   * tombstones up to its start (for a void `from`: up to the present head). Limit 0 reads the head only. Undefined if there is no collection.
   */
  changes(
    collection: CollectionId,
    options: { readonly from?: ReadPosition | undefined; readonly limit: number },
  ): Promise<Changes | undefined>

  /** Reads `changes` and the journal's `outcomes` in one consistent read, so that no outcome refers to a version beyond the rows. */
  page(collection: CollectionId, options: DevicePageOptions): Promise<DevicePage | undefined>

  /** Returns the live objects with these ids; others are left out. */
  get(collection: CollectionId, ids: readonly ObjectId[]): Promise<ObjectMap>

  /** Returns the state of one object. */
  look(collection: CollectionId, id: ObjectId): Promise<StoredObjectState>

  /**
   * Returns the versions of an object, newest first, with origins and times. The change log has one row per commit: the last 200 of a collection,
   * plus one for every 100 objects, for 90 days. A commit of more than 100 objects is logged without their ids, so the history does not go back
   * beyond it.
   */
  history(collection: CollectionId, id: ObjectId, page: { readonly limit: number }): Promise<ObjectHistory>

  /** Lists live objects in order of id, as stored JSON text with their versions, until the limit or `READ_BYTES`. */
  list(
    collection: CollectionId,
    page: { readonly after?: ObjectId | undefined; readonly limit: number },
  ): Promise<RowPage>

  /**
   * Returns the version that was the head at a time (milliseconds since 1970): the floor if the time is before it, 0 if there is no collection. Used
   * for sources whose backends show writes late.
   */
  versionAt(collection: CollectionId, time: number): Promise<number>

  /** Requests a query, or sets the due time with `at`; only a query that begins later satisfies the request. Does not create a collection. */
  requestQuery(collection: CollectionId, at?: number): Promise<void>

  /**
   * Accepts the removals that were held back, and requests a query; it applies them if it would still remove nearly the same objects. Returns what
   * was accepted; undefined if nothing is held back.
   */
  acceptRemovals(collection: CollectionId): Promise<PendingRemovals | undefined>

  /** Records that a query failed, and when the next is due, as `replace` does. Does not create a collection. */
  recordFailure(collection: CollectionId, failure: QueryFailure): Promise<void>

  /** Records a reader's position, a hint that a crash may lose. Does not create a collection. */
  recordReader(collection: CollectionId, reader: string, base: number): Promise<void>
  /** Lists readers in order of their names. */
  readers(collection: CollectionId): Promise<readonly Reader[]>
  dropReader(collection: CollectionId, reader: string): Promise<void>

  /**
   * Removes up to `limit` tombstones at or below `below`, oldest first, and raises the floor in the same step: to `below`, at most to the head, or
   * with `more` to the last one removed. Does nothing while the `query` lease is held.
   */
  compact(
    collection: CollectionId,
    options: { readonly below: number; readonly limit: number },
  ): Promise<{ readonly removed: number; readonly more: boolean }>

  /** Removes commits older than 90 days from the change log, which has a limited number of them. Does not create a collection. */
  forgetHistory(collection: CollectionId): Promise<void>

  /** Removes rows, history, journal and readers; the next collection of this id has a new epoch. Fences are never issued again. */
  drop(collection: CollectionId): Promise<void>

  /** Lists collections with removals that were held back, ordered by source and partition. */
  withPendingRemovals(page: {
    readonly after?: CollectionId | undefined
    readonly limit: number
  }): Promise<readonly CollectionId[]>

  /** Lists collections ordered by source and partition, optionally of one source or partition. */
  collections(page: {
    readonly source?: string | undefined
    readonly partition?: string | undefined
    readonly after?: CollectionId | undefined
    readonly limit: number
  }): Promise<readonly CollectionId[]>
}
