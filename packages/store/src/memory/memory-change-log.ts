import type { ObjectId } from '@godwit/protocol'
import type { ChangeOrigin, ChangeRow } from '../collections.js'
import { type LoggedChange, MAX_LISTED, maxCommits, previousOf } from '../history/index.js'

interface LoggedCommit {
  readonly time: number
  readonly origin: ChangeOrigin | undefined
  /** Previous versions by object. Undefined if there were too many to list. */
  readonly previous: ReadonlyMap<ObjectId, number> | undefined
}

interface Commit {
  readonly version: number
  readonly time: number
  readonly origin: ChangeOrigin | undefined
  /** The rows of the objects before the commit. */
  readonly before: readonly (readonly [ObjectId, ChangeRow | undefined])[]
  /** Live objects after the commit. */
  readonly count: number
}

/** The origins of the last commits of a collection in memory, in order of version. */
export class MemoryChangeLog {
  readonly #commits = new Map<number, LoggedCommit>()

  record({ version, time, origin, before, count }: Commit): void {
    const isListed = before.length <= MAX_LISTED
    const previous = isListed ? new Map(before.map(([id, row]) => [id, previousOf(row)])) : undefined
    this.#commits.set(version, { time, origin, previous })
    const last = version - maxCommits(count)
    for (const old of this.#commits.keys()) {
      if (old > last) return
      this.#commits.delete(old)
    }
  }

  get(version: number, id: ObjectId): LoggedChange | undefined {
    const commit = this.#commits.get(version)
    return commit && { time: commit.time, origin: commit.origin, previous: commit.previous?.get(id) }
  }

  /** Removes commits up to this time. */
  forget(time: number): void {
    for (const [version, commit] of this.#commits) {
      if (commit.time > time) return
      this.#commits.delete(version)
    }
  }
}
