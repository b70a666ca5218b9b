import type { StoreOptions } from '@godwit/store'
import { SqliteConnection } from './connection.js'
import { asStoreError, closedError, isFailedFile, isFull } from './failure.js'
import { GroupCommit } from './group-commit.js'
import { randomTexts } from './random-texts.js'
import type { SqliteHandles } from './sqlite-handle.js'
import { TurnSnapshot } from './turn-snapshot.js'

/** Fences of one opening. Neither openings nor the fences of one will ever be used up. */
const FENCES = 2 ** 32

const TOUCH_OPENING = 'UPDATE opening SET count = count'

/** What needs room in the file: the log may still have some when the disk has none. */
const PROBE = 'INSERT OR REPLACE INTO blob_part (blob, start, bytes) VALUES (-1, 0, zeroblob(?))'
const PROBE_BYTES = 256 * 1024
const END_PROBE = 'DELETE FROM blob_part WHERE blob = -1'

const COUNT_OPENING = 'UPDATE opening SET count = count + 1 RETURNING count'

/** How the operations of a store reach its file. */
export class Database {
  readonly now: () => number
  readonly randomId: () => string
  readonly #writer: SqliteConnection
  /** Undefined where there is one connection: nothing can come between what it does in one step. */
  readonly #snapshot: TurnSnapshot | undefined
  /** Of the writer, while nothing is written. */
  readonly #writerSnapshot: TurnSnapshot
  readonly #group: GroupCommit
  readonly #handles: SqliteHandles
  /** Undefined while the opening could not be counted, on a full disk: nothing is written then. */
  #fence: number | undefined
  /** Why a write failed that the file should have taken; undefined since one succeeded. */
  #failure: unknown
  #isClosed = false
  #dataVersion = 0

  constructor(handles: SqliteHandles, options: StoreOptions = {}) {
    this.#handles = handles
    this.now = options.clock ?? Date.now
    this.#writer = new SqliteConnection(handles.writer, this.now)
    const reader = handles.reader === handles.writer ? undefined : new SqliteConnection(handles.reader, this.now)
    const onBegin = () => this.#readDataVersion()
    this.#snapshot = reader && new TurnSnapshot(reader, onBegin)
    this.#writerSnapshot = new TurnSnapshot(this.#writer, onBegin)
    const begin = () => this.#writerSnapshot.end()
    const commit = () => this.#snapshot?.end()
    const failed = (error: unknown) => this.#noteFailure(error)
    this.#group = new GroupCommit(this.#writer, { begin, commit, failed })
    try {
      this.#countOpening()
    } catch (error) {
      if (!isFull(error)) throw error
      this.#noteFailure(error)
    }
    this.randomId = options.randomId ?? randomTexts()
  }

  get closed(): boolean {
    return this.#isClosed
  }

  /** Commits so far: writes of one turn share one. */
  get commits(): number {
    return this.#group.commits
  }

  /** A number that changes when another process has written. Read it within a transaction. */
  get others(): number {
    return this.#dataVersion
  }

  /** Fences of this opening are above those of all before: without its count there are none, and no writes. */
  #countOpening(): number {
    const opened = this.#writer.statement<{ readonly count: number }>(COUNT_OPENING).get()
    this.#fence = (opened?.count ?? 0) * FENCES
    return this.#fence
  }

  #noteFailure(error: unknown): void {
    if (isFailedFile(error)) this.#failure = asStoreError(error)
  }

  /** Rejects unless the file can be read and written. After a failed write it takes one that needs room to believe it again. */
  async check(): Promise<void> {
    if (this.#failure === undefined) return this.write(connection => connection.run(TOUCH_OPENING))
    await this.write(connection => connection.statement(PROBE).run(PROBE_BYTES))
    await this.write(connection => connection.run(END_PROBE))
    this.#failure = undefined
  }

  #readDataVersion(): void {
    // Of a connection it counts what the other connections commit, and the writer's are all of this process.
    const row = this.#writer.statement<{ readonly data_version: number }>('PRAGMA data_version').get()
    this.#dataVersion = row?.data_version ?? 0
  }

  /** What is committed, of one moment: never a write that may yet be lost. */
  async read<Result>(work: (connection: SqliteConnection) => Result): Promise<Result> {
    return this.readNow(work)
  }

  /** The same, with every write that somebody was told of before. */
  async readAll<Result>(work: (connection: SqliteConnection) => Result): Promise<Result> {
    this.assertOpen()
    await this.#group.told()
    return this.readNow(work)
  }

  readNow<Result>(work: (connection: SqliteConnection) => Result): Result {
    this.assertOpen()
    const snapshot = this.#snapshot
    // Each commit of one connection empties the cache of the other. So the writer's own is read, unless it holds what is not committed.
    if (snapshot) return storeErrors(() => (this.#group.isOpen ? snapshot : this.#writerSnapshot).read(work))
    // One connection cannot look past its own open transaction.
    this.#group.commit()
    return storeErrors(() => work(this.#writer))
  }

  /** One atomic step; resolves when it is on disk. */
  async write<Result>(work: (connection: SqliteConnection) => Result): Promise<Result> {
    this.#assertWritable()
    return this.#group.durable(() => storeErrors(() => work(this.#writer))).catch(error => this.#rethrow(error))
  }

  /** One atomic step; resolves when it has run. It is on disk with the next `write` or `flush`. */
  async writeEarly<Result>(work: (connection: SqliteConnection) => Result): Promise<Result> {
    this.#assertWritable()
    return this.#group.early(() => storeErrors(() => work(this.#writer))).catch(error => this.#rethrow(error))
  }

  async flush(): Promise<void> {
    this.assertOpen()
    return this.#group.flush()
  }

  /** Never given before, and above all that were: no write is needed to know it. */
  nextFence(): number {
    this.#fence = (this.#fence ?? this.#countOpening()) + 1
    return this.#fence
  }

  #assertWritable(): void {
    this.assertOpen()
    if (this.#fence === undefined) storeErrors(() => this.#countOpening())
  }

  #rethrow(error: unknown): never {
    this.#noteFailure(error)
    throw asStoreError(error)
  }

  /** A place for what does not fit into memory, for as long as one operation runs. */
  scratch(): SqliteConnection {
    this.assertOpen()
    return new SqliteConnection(this.#handles.scratch())
  }

  assertOpen(): void {
    if (this.#isClosed) throw closedError()
  }

  /** Closes the file. Throws when the log cannot be written back, on a full disk: the log then stays beside the file for the next opening. */
  close(): void {
    if (this.#isClosed) return
    this.#group.commit()
    this.#snapshot?.end()
    this.#writerSnapshot.end()
    this.#isClosed = true
    const { reader, writer } = this.#handles
    try {
      storeErrors(() => writer.exec('PRAGMA wal_checkpoint(TRUNCATE)'))
    } finally {
      if (reader !== writer) reader.close()
      writer.close()
    }
  }
}

function storeErrors<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw asStoreError(error)
  }
}
