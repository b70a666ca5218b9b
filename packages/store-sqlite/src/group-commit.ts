import type { SqliteConnection } from './connection.js'
import { asStoreError } from './failure.js'

/** One group holds the event loop no longer than about this, in milliseconds. */
const LONGEST_GROUP = 20

interface CommitGroup {
  readonly committed: Promise<void>
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
  /** Milliseconds of work in it. */
  work: number
  /** Somebody was told of a write in it before it is on disk. */
  told: boolean
}

/** What runs with the groups. */
export interface GroupHooks {
  /** Ahead of the first write of every group. */
  readonly begin: () => void
  /** Ahead of its commit. */
  readonly commit: () => void
  /** Hears why a group was lost. */
  readonly failed?: (error: unknown) => void
}

/**
 * Writes of one turn of the event loop share one commit, and so one fsync.
 * Each runs at once and whole: one that throws leaves nothing, and the others of its group stay.
 */
export class GroupCommit {
  readonly #writer: SqliteConnection
  readonly #hooks: GroupHooks
  #group: CommitGroup | undefined
  #lastFailure: unknown
  /** Commits so far. */
  commits = 0

  constructor(writer: SqliteConnection, hooks: GroupHooks) {
    this.#writer = writer
    this.#hooks = hooks
  }

  /** Something was written that is not committed. */
  get isOpen(): boolean {
    return this.#group !== undefined
  }

  /** Resolves when the write is on disk. */
  async durable<Result>(work: () => Result): Promise<Result> {
    const { result, group } = this.#run(work)
    await group.committed
    return result
  }

  /** Resolves when the write has run: it is on disk with the group. */
  async early<Result>(work: () => Result): Promise<Result> {
    const { result, group } = this.#run(work)
    group.told = true
    return result
  }

  /** Resolves when every write so far is on disk; rejects when the last ones were lost. */
  async flush(): Promise<void> {
    if (this.#group) return this.#group.committed
    if (this.#lastFailure !== undefined) throw this.#lastFailure
  }

  /** Resolves when every write that somebody was told of can be read, or is lost: its own caller hears of that. */
  async told(): Promise<void> {
    if (this.#group?.told) await this.#group.committed.catch(() => undefined)
  }

  /** Ends the open group at once. */
  commit(): void {
    const group = this.#group
    if (!group) return
    this.#group = undefined
    this.#hooks.commit()
    try {
      this.#writer.run('COMMIT')
    } catch (error) {
      this.#abandon(group, error)
      return
    }
    this.commits++
    this.#lastFailure = undefined
    group.resolve()
  }

  #run<Result>(work: () => Result): { readonly result: Result; readonly group: CommitGroup } {
    const begun = performance.now()
    const group = this.#group
    const done = group ? { group, result: this.#inside(group, work) } : this.#first(work)
    done.group.work += performance.now() - begun
    if (done.group.work > LONGEST_GROUP) this.commit()
    return done
  }

  /** The first of its group needs no savepoint: what can be undone is the whole transaction. */
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
    // A full disk can make SQLite end the whole transaction: then all of the group is lost.
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
    // Callers that wait hear of a failure; without one it must not count as unhandled.
    promise.catch(() => undefined)
    const group: CommitGroup = { committed: promise, resolve, reject, work: 0, told: false }
    this.#group = group
    setImmediate(() => {
      if (this.#group === group) this.commit()
    })
    return group
  }
}
