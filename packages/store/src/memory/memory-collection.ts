import type { ObjectId, SourceError } from '@godwit/protocol'
import type {
  AppliedBatch,
  ChangeOrigin,
  ChangeRow,
  CollectionId,
  Head,
  NextQuery,
  PendingRemovals,
  Reader,
  StoredObjectState,
} from '../collections.js'
import { changeObject, type ObjectChange, parseAttributes } from '../history/index.js'
import { JournalBook } from './journal-book.js'
import type { LeaseTable } from './lease-table.js'
import { MemoryChangeLog } from './memory-change-log.js'
import { ObjectRows } from './object-rows.js'

/** The clock, random ids and leases that a collection uses. */
export interface CollectionEnvironment {
  readonly clock: () => number
  readonly randomId: () => string
  readonly leases: LeaseTable
}

/** The mark and time of a batch. */
interface BatchRow {
  readonly mark: string
  readonly time: number
}

/** The origin of a change, and the objects for which an equal write counts. */
interface ChangeContext {
  readonly origin?: ChangeOrigin | undefined
  readonly isCalled?: (id: ObjectId) => boolean
}

/** A master document in memory. Every method is synchronous and therefore atomic. */
export class MemoryCollection {
  readonly epoch: string
  readonly rows = new ObjectRows()
  readonly journal = new JournalBook()
  readonly readers = new Map<string, Reader>()
  readonly log = new MemoryChangeLog()
  version = 0
  floor = 0
  queriesRequested = 0
  queryRequestedAt: number | undefined
  queriesServed = 0
  queriedAt: number | undefined
  nextQuery: number | undefined
  dueSetAt: number | undefined
  sourceError: SourceError | undefined
  pendingRemovals: PendingRemovals | undefined
  acceptedRemovals: string | undefined
  /** The cursor of the source's changes, and the highest fence of each of its readers. */
  cursor: string | null = null
  readonly fences = new Map<string, number>()
  readonly #batches = new Map<number, BatchRow>()
  readonly #around: CollectionEnvironment

  constructor(
    readonly id: CollectionId,
    around: CollectionEnvironment,
  ) {
    this.#around = around
    this.epoch = around.randomId()
    this.#batches.set(0, { mark: around.randomId(), time: around.clock() })
  }

  head(): Head {
    return {
      epoch: this.epoch,
      version: this.version,
      mark: this.markOf(this.version) ?? '',
      count: this.rows.live,
      checksum: this.rows.checksum.toString(),
      floor: this.floor,
      queriesRequested: this.queriesRequested,
      queriesServed: this.queriesServed,
      ...(this.queryRequestedAt !== undefined && { queryRequestedAt: this.queryRequestedAt }),
      ...(this.queriedAt !== undefined && { queriedAt: this.queriedAt }),
      ...(this.nextQuery !== undefined && { nextQuery: this.nextQuery }),
      ...(this.dueSetAt !== undefined && { dueSetAt: this.dueSetAt }),
      readAt: this.#around.clock(),
      ...(this.sourceError && { sourceError: this.sourceError }),
      ...(this.pendingRemovals && { pendingRemovals: this.pendingRemovals }),
      ...(this.acceptedRemovals !== undefined && { acceptedRemovals: this.acceptedRemovals }),
    }
  }

  /** Requests a query, in the same step as the change that requires it. */
  requestQuery(): void {
    this.queriesRequested++
    this.queryRequestedAt = this.#around.clock()
  }

  /** Sets the next query's time, unless it was changed while the query ran. */
  queryAgainAt({ nextQuery, nextQueryBefore }: NextQuery): void {
    if (this.nextQuery === nextQueryBefore) this.setDue(nextQuery)
  }

  /** Sets the next query's time, and notes when. */
  setDue(nextQuery: number | undefined): void {
    this.nextQuery = nextQuery
    this.dueSetAt = nextQuery === undefined ? undefined : this.#around.clock()
  }

  markOf(version: number): string | undefined {
    return this.#batches.get(version)?.mark
  }

  present(id: ObjectId): StoredObjectState {
    const row = this.rows.get(id)
    if (!row) return { state: 'never' }
    if (row.text === null) return { state: 'gone', version: row.version }
    return { state: 'live', version: row.version, attributes: parseAttributes(row.text) }
  }

  /** Applies a backend's change. It is written even if equal while the object has a call in progress, since the settlement depends on it. */
  hear(changes: ReadonlyMap<ObjectId, ObjectChange>, origin?: ChangeOrigin): AppliedBatch {
    return this.apply(changes, { origin, isCalled: id => this.journal.isCalled(id) })
  }

  /** True while an equal write of the object counts: a query runs, or the object has a call in progress. */
  keepsEqual(id: ObjectId): boolean {
    return this.#around.leases.isLeased({ kind: 'query', collection: this.id }) || this.journal.isCalled(id)
  }

  apply(
    changes: ReadonlyMap<ObjectId, ObjectChange>,
    { origin, isCalled = () => false }: ChangeContext = {},
  ): AppliedBatch {
    const keepEqual = this.#around.leases.isLeased({ kind: 'query', collection: this.id })
    const texts = new Map<ObjectId, string | null>()
    for (const [id, change] of changes) {
      const changed = changeObject(this.rows.get(id)?.text, change)
      if (changed && (!changed.equal || keepEqual || isCalled(id))) texts.set(id, changed.text)
    }
    return this.write(texts, origin)
  }

  /** Writes rows as one batch; without rows there is no new version. */
  write(texts: ReadonlyMap<ObjectId, string | null>, origin?: ChangeOrigin): AppliedBatch {
    if (texts.size > 0) {
      const time = this.#beginBatch()
      const before = [...texts.keys()].map(id => [id, this.rows.get(id)] as const)
      this.rows.put([...texts].map(([id, text]): ChangeRow => ({ id, version: this.version, text })))
      this.log.record({ version: this.version, time, origin, before, count: this.rows.live })
    }
    const { version, mark, epoch, count } = this.head()
    return { version, mark, epoch, count, changed: texts.size }
  }

  /** Starts a batch. Times never decrease, so that a version is the head from its time until the next version's. */
  #beginBatch(): number {
    const last = this.#batches.get(this.version)?.time ?? 0
    const time = Math.max(last, this.#around.clock())
    this.version++
    this.#batches.set(this.version, { mark: this.#around.randomId(), time })
    return time
  }

  versionAt(time: number): number {
    let version = this.version
    while (version > this.floor && (this.#batches.get(version)?.time ?? 0) > time) version--
    return version
  }

  /** Raises the floor. Keeps the floor's own batch row, since a reader may be at it. */
  raiseFloor(floor: number): void {
    for (let version = this.floor; version < floor; version++) this.#batches.delete(version)
    this.floor = Math.max(this.floor, floor)
  }
}
