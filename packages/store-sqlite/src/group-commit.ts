import type { SqliteConnection } from './connection.js'
import { asStoreError } from './failure.js'

/** Milliseconds of work after which a group is committed. */
const LONGEST_GROUP = 20

interface CommitGroup {
  readonly committed: Promise<void>
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
  /** Milliseconds of work in the group. */
  work: number
  /** True if a caller was told of a write in the group before it is on disk. */
  settled: boolean
  /** True if the group's commit must survive a power failure, whatever the store's durability. */
  flushed: boolean
}

/** What one write demands of the commit of its group. */
type Mark = 'settled' | 'flushed'

/** Callbacks of groups. */
export interface GroupHooks {
  /** Called before the first write of a group. */
  readonly begin: () => void
  /** Called before the commit of a group. */
  readonly commit: () => void
  /** Called after the commit of a group that must survive a power failure. Absent: each commit does. */
  readonly flush?: (() => void) | undefined
  /** Called with the error when a group is lost. */
  readonly failed?: (error: unknown) => void
}

/**
 * Writes of one turn of the event loop share one commit, and so one fsync. Each runs immediately and atomically: one that throws is rolled back
 * without affecting the others.
 */
export class GroupCommit {
  readonly #writer: SqliteConnection
  readonly #hooks: GroupHooks
  #group: CommitGroup | undefined
  #lastFailure: unknown
  /** The number of commits so far. */
  commits = 0

  constructor(writer: SqliteConnection, hooks: GroupHooks) {
    this.#writer = writer
    this.#hooks = hooks
  }

  /** True if there are uncommitted writes. */
  get isOpen(): boolean {
    return this.#group !== undefined
  }

  /** Runs a write; resolves when it is committed. */
  async durable<Result>(work: () => Result): Promise<Result> {
    const { result, group } = this.#run(work)
    await group.committed
    return result
  }

  /** Runs a write; resolves when it is on disk, also where commits alone do not wait for the disk. */
  async flushed<Result>(work: () => Result): Promise<Result> {
    const { result, group } = this.#run(work, 'flushed')
    await group.committed
    return result
  }

  /** Runs a write; resolves before it is on disk. */
  async early<Result>(work: () => Result): Promise<Result> {
    return this.#run(work, 'settled').result
  }

  /** Resolves when all earlier writes are on disk; rejects if the last group was lost. */
  async flush(): Promise<void> {
    if (this.#group) return this.#group.committed
    if (this.#lastFailure !== undefined) throw this.#lastFailure
  }

  /** Resolves when every write that a caller was told of is committed or lost; the loss is reported to its caller. */
  async settled(): Promise<void> {
    if (this.#group?.settled) await this.#group.committed.catch(() => undefined)
  }

  /** Commits the open group immediately. */
  commit(): void {
    const group = this.#group
    if (!group) return
    this.#group = undefined
    this.#hooks.commit()
    try {
      this.#writer.run('COMMIT')
      if (group.flushed) this.#hooks.flush?.()
    } catch (error) {
      this.#abandon(group, error)
      return
    }
    this.commits++
    this.#lastFailure = undefined
    group.resolve()
  }

  /** Runs a write in the open group, or in a new one. The group is marked before long work commits it. */
  #run<Result>(work: () => Result, mark?: Mark): { readonly result: Result; readonly group: CommitGroup } {
    const begun = performance.now()
    const group = this.#group
    const done = group ? { group, result: this.#inside(group, work) } : this.#first(work)
    if (mark) done.group[mark] = true
    done.group.work += performance.now() - begun
    if (done.group.work > LONGEST_GROUP) this.commit()
    return done
  }

  /** The first write of a group needs no savepoint, since rolling back the transaction undoes it. */
  #first<Result>(work: () => Result): { readonly result: Result; readonly group: CommitGroup } {
    this.#hooks.begin()
    this.#writer.run('BEGIN IMMEDIATE')
    try {
      const result = work()
      return { result, group: this.#open() }
    } catch (error) {
      if (this.#writer.handle.inTransaction) this.#writer.run('ROLLBACK')
      throw error
    }
  }

  #inside<Result>(group: CommitGroup, work: () => Result): Result {
    this.#writer.run('SAVEPOINT operation')
    try {
      const result = work()
      this.#writer.run('RELEASE operation')
      return result
    } catch (error) {
      this.#undo(group, error)
      throw error
    }
  }

  #undo(group: CommitGroup, error: unknown): void {
    // On a full disk SQLite may roll back the whole transaction: then the whole group is lost.
    if (!this.#writer.handle.inTransaction) {
      this.#group = undefined
      this.#abandon(group, error)
      return
    }
    this.#writer.run('ROLLBACK TO operation')
    this.#writer.run('RELEASE operation')
  }

  #abandon(group: CommitGroup, error: unknown): void {
    this.#lastFailure = asStoreError(error)
    this.#hooks.failed?.(error)
    try {
      if (this.#writer.handle.inTransaction) this.#writer.run('ROLLBACK')
    } finally {
      group.reject(this.#lastFailure)
    }
  }

  #open(): CommitGroup {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    // Waiting callers get the error; without any it must not count as unhandled.
    promise.catch(() => undefined)
    const group: CommitGroup = { committed: promise, resolve, reject, work: 0, settled: false, flushed: false }
    this.#group = group
    setImmediate(() => {
      if (this.#group === group) this.commit()
    })
    return group
  }
}
