import { SqliteConnection } from './connection.js'
import { asStoreError, closedError, isDamaged, isFailedFile, isFull } from './failure.js'
import { GroupCommit } from './group-commit.js'
import { randomTexts } from './random-texts.js'
import type { SqliteHandles } from './sqlite-handle.js'
import type { SqliteStoreOptions } from './sqlite-store-options.js'
import { TurnSnapshot } from './turn-snapshot.js'

/** Fences for each opening of the file. Neither openings nor fences can run out. */
const FENCES = 2 ** 32

const TOUCH_OPENING = 'UPDATE opening SET count = count'

/** A write that needs space in the file: without it, a small write could fit into the log while the disk is full. */
const PROBE = 'INSERT OR REPLACE INTO blob_part (blob, start, bytes) VALUES (-1, 0, zeroblob(?))'
const PROBE_BYTES = 256 * 1024
const END_PROBE = 'DELETE FROM blob_part WHERE blob = -1'

/** Sets whether commits wait for the disk. Frames of earlier commits are flushed with the next commit that waits. */
const WAIT_FOR_DISK = 'PRAGMA synchronous = FULL'
const DO_NOT_WAIT = 'PRAGMA synchronous = NORMAL'

const COUNT_OPENING = 'UPDATE opening SET count = count + 1 RETURNING count'

/** Runs the reads and writes of a store. */
export class Database {
  readonly now: () => number
  readonly randomId: () => string
  readonly #writer: SqliteConnection
  /** Undefined with a single connection: no other work can interleave with one step there. */
  readonly #snapshot: TurnSnapshot | undefined
  /** A snapshot of the writer's connection, used while no write is pending. */
  readonly #writerSnapshot: TurnSnapshot
  readonly #group: GroupCommit
  readonly #handles: SqliteHandles
  /** The last fence. Undefined if the opening could not be counted because the disk is full; writes then count it first. */
  #fence: number | undefined
  /** The last error of a write caused by the file or disk; undefined after a successful check. */
  #failure: unknown
  #damage: unknown
  #isClosed = false
  #dataVersion = 0

  constructor(handles: SqliteHandles, options: SqliteStoreOptions = {}) {
    this.#handles = handles
    this.now = options.clock ?? Date.now
    this.#writer = new SqliteConnection(handles.writer, this.now)
    const reader = handles.reader === handles.writer ? undefined : new SqliteConnection(handles.reader, this.now)
    const onBegin = () => this.#readDataVersion()
    this.#snapshot = reader && new TurnSnapshot(reader, onBegin)
    this.#writerSnapshot = new TurnSnapshot(this.#writer, onBegin)
    const begin = () => this.#writerSnapshot.end()
    const commit = () => this.#snapshot?.end()
    const failed = (error: unknown) => this.#recordFailure(error)
    const flush = options.durability === 'normal' ? () => this.#flushLog() : undefined
    this.#group = new GroupCommit(this.#writer, { begin, commit, failed, flush })
    try {
      this.#countOpening()
    } catch (error) {
      if (!isFull(error)) throw error
      this.#recordFailure(error)
    }
    if (flush) handles.writer.exec(DO_NOT_WAIT)
    this.randomId = options.randomId ?? randomTexts()
  }

  get closed(): boolean {
    return this.#isClosed
  }

  /** The first error that showed damage; undefined after `forgetDamage`. */
  get damage(): unknown {
    return this.#damage
  }

  forgetDamage(): void {
    this.#damage = undefined
  }

  /** The number of commits so far; writes of one turn share one. */
  get commits(): number {
    return this.#group.commits
  }

  /** A number that changes when another process has written. Read it within a transaction. */
  get others(): number {
    return this.#dataVersion
  }

  /** Counts this opening. Its fences are higher than those of all earlier openings, so nothing is written before it succeeds. */
  #countOpening(): number {
    const opened = this.#writer.statement<{ readonly count: number }>(COUNT_OPENING).get()
    this.#fence = (opened?.count ?? 0) * FENCES
    return this.#fence
  }

  /** Commits a write that waits for the disk, and so flushes the log with all earlier commits. */
  #flushLog(): void {
    this.#writer.handle.exec(WAIT_FOR_DISK)
    try {
      this.#writer.run(TOUCH_OPENING)
    } finally {
      this.#writer.handle.exec(DO_NOT_WAIT)
    }
  }

  #recordFailure(error: unknown): void {
    if (isFailedFile(error)) this.#failure = asStoreError(error)
    if (isDamaged(error)) this.#damage ??= asStoreError(error)
  }

  /** Rejects unless the file can be read and written. After a failed write, the check writes enough to need free space. */
  async check(): Promise<void> {
    if (this.#failure === undefined) return this.write(connection => connection.run(TOUCH_OPENING))
    await this.write(connection => connection.statement(PROBE).run(PROBE_BYTES))
    await this.write(connection => connection.run(END_PROBE))
    this.#failure = undefined
  }

  #readDataVersion(): void {
    // A connection's data_version counts commits of other connections; all writes of this process use the writer.
    const row = this.#writer.statement<{ readonly data_version: number }>('PRAGMA data_version').get()
    this.#dataVersion = row?.data_version ?? 0
  }

  /** Reads committed data of one moment, never a write that may still be lost. */
  async read<Result>(work: (connection: SqliteConnection) => Result): Promise<Result> {
    return this.readNow(work)
  }

  /** Like `read`, but includes every write that was already reported to a caller. */
  async readAll<Result>(work: (connection: SqliteConnection) => Result): Promise<Result> {
    this.assertOpen()
    await this.#group.settled()
    return this.readNow(work)
  }

  readNow<Result>(work: (connection: SqliteConnection) => Result): Result {
    this.assertOpen()
    const snapshot = this.#snapshot
    // A commit invalidates the other connection's page cache, so the writer's connection is read unless it has uncommitted writes.
    if (snapshot) return this.#reading(() => (this.#group.isOpen ? snapshot : this.#writerSnapshot).read(work))
    // A single connection cannot read past its open transaction.
    this.#group.commit()
    return this.#reading(() => work(this.#writer))
  }

  #reading<Result>(work: () => Result): Result {
    try {
      return storeErrors(work)
    } catch (error) {
      this.#recordFailure(error)
      throw error
    }
  }

  /** Runs one atomic step; resolves when it is committed: with `full` durability on disk, with `normal` in the log of the file. */
  async write<Result>(work: (connection: SqliteConnection) => Result): Promise<Result> {
    this.#assertWritable()
    return this.#group.durable(() => storeErrors(() => work(this.#writer))).catch(error => this.#rethrow(error))
  }

  /** Runs one atomic step; resolves when it is on disk, with either durability. */
  async writeFlushed<Result>(work: (connection: SqliteConnection) => Result): Promise<Result> {
    this.#assertWritable()
    return this.#group.flushed(() => storeErrors(() => work(this.#writer))).catch(error => this.#rethrow(error))
  }

  /** Runs one atomic step; resolves before it is on disk, which it is with the next `write` or `flush`. */
  async writeEarly<Result>(work: (connection: SqliteConnection) => Result): Promise<Result> {
    this.#assertWritable()
    return this.#group.early(() => storeErrors(() => work(this.#writer))).catch(error => this.#rethrow(error))
  }

  async flush(): Promise<void> {
    this.assertOpen()
    return this.#group.flush()
  }

  /** Returns a new fence, higher than all before, without a write. */
  nextFence(): number {
    this.#fence = (this.#fence ?? this.#countOpening()) + 1
    return this.#fence
  }

  #assertWritable(): void {
    this.assertOpen()
    if (this.#fence === undefined) storeErrors(() => this.#countOpening())
  }

  #rethrow(error: unknown): never {
    this.#recordFailure(error)
    throw asStoreError(error)
  }

  /** Opens temporary storage for data that does not fit into memory, for the length of one operation. */
  scratch(): SqliteConnection {
    this.assertOpen()
    return new SqliteConnection(this.#handles.scratch())
  }

  assertOpen(): void {
    if (this.#isClosed) throw closedError()
  }

  /** Closes the file. Throws if the log cannot be written back because the disk is full: it then stays beside the file for the next opening. */
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
