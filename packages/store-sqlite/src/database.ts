import type { StoreOptions } from '@godwit/store'
import { Connection } from './connection.js'
import { asStoreError, closedError } from './failure.js'
import { GroupCommit } from './group-commit.js'
import { randomTexts } from './random-texts.js'
import type { SqliteHandles } from './sqlite-handle.js'
import { TurnSnapshot } from './turn-snapshot.js'

/** Fences of one opening. Neither openings nor the fences of one will ever be used up. */
const FENCES = 2 ** 32

const COUNT_OPENING = 'UPDATE opening SET count = count + 1 RETURNING count'

/** How the operations of a store reach its file. */
export class Database {
  readonly now: () => number
  readonly randomId: () => string
  readonly #writer: Connection
  /** Undefined where there is one connection: nothing can come between what it does in one step. */
  readonly #snapshot: TurnSnapshot | undefined
  /** Of the writer, while nothing is written. */
  readonly #settled: TurnSnapshot
  readonly #group: GroupCommit
  readonly #handles: SqliteHandles
  #fence: number
  #closed = false
  #others = 0

  constructor(handles: SqliteHandles, options: StoreOptions = {}) {
    this.#handles = handles
    this.now = options.clock ?? Date.now
    this.#writer = new Connection(handles.writer, this.now)
    const reader = handles.reader === handles.writer ? undefined : new Connection(handles.reader, this.now)
    const begun = () => this.#lookForOthers()
    this.#snapshot = reader && new TurnSnapshot(reader, begun)
    this.#settled = new TurnSnapshot(this.#writer, begun)
    const begin = () => this.#settled.end()
    const commit = () => this.#snapshot?.end()
    this.#group = new GroupCommit(this.#writer, { begin, commit })
    const opened = this.#writer.statement<{ readonly count: number }>(COUNT_OPENING).get()
    this.#fence = (opened?.count ?? 0) * FENCES
    this.randomId = options.randomId ?? randomTexts()
  }

  get closed(): boolean {
    return this.#closed
  }

  /** Commits so far: writes of one turn share one. */
  get commits(): number {
    return this.#group.commits
  }

  /** Another number as soon as another process has written, to whoever asks within a read. */
  get others(): number {
    return this.#others
  }

  #lookForOthers(): void {
    // Of a connection it counts what the other connections commit, and the writer's are all of this process.
    const row = this.#writer.statement<{ readonly data_version: number }>('PRAGMA data_version').get()
    this.#others = row?.data_version ?? 0
  }

  /** What is committed, of one moment: never a write that may yet be lost. */
  async read<Result>(work: (connection: Connection) => Result): Promise<Result> {
    return this.readNow(work)
  }

  /** The same, with every write that somebody was told of before. */
  async readAll<Result>(work: (connection: Connection) => Result): Promise<Result> {
    this.assertOpen()
    await this.#group.told()
    return this.readNow(work)
  }

  readNow<Result>(work: (connection: Connection) => Result): Result {
    this.assertOpen()
    const snapshot = this.#snapshot
    // Each commit of one connection empties the cache of the other. So the writer's own is read, unless it holds what is not committed.
    if (snapshot) return storeErrors(() => (this.#group.isOpen ? snapshot : this.#settled).read(work))
    // One connection cannot look past its own open transaction.
    this.#group.commit()
    return storeErrors(() => work(this.#writer))
  }

  /** One atomic step; resolves when it is on disk. */
  async write<Result>(work: (connection: Connection) => Result): Promise<Result> {
    this.assertOpen()
    return this.#group.durable(() => storeErrors(() => work(this.#writer))).catch(rethrow)
  }

  /** One atomic step; resolves when it has run. It is on disk with the next `write` or `flush`. */
  async writeEarly<Result>(work: (connection: Connection) => Result): Promise<Result> {
    this.assertOpen()
    return this.#group.early(() => storeErrors(() => work(this.#writer))).catch(rethrow)
  }

  async flush(): Promise<void> {
    this.assertOpen()
    return this.#group.flush()
  }

  /** Never given before, and above all that were: no write is needed to know it. */
  nextFence(): number {
    return ++this.#fence
  }

  /** A place for what does not fit into memory, for as long as one operation runs. */
  scratch(): Connection {
    this.assertOpen()
    return new Connection(this.#handles.scratch())
  }

  assertOpen(): void {
    if (this.#closed) throw closedError()
  }

  /** Throws when the log cannot be written back, on a full disk: then it stays beside the file, for whoever opens that next. It is closed all the same. */
  close(): void {
    if (this.#closed) return
    this.#group.commit()
    this.#snapshot?.end()
    this.#settled.end()
    this.#closed = true
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

function rethrow(error: unknown): never {
  throw asStoreError(error)
}
