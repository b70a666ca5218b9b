import type { ObjectId } from '@godwit/protocol'
import { COMMIT_LIFE, commitsKept, MOST_LISTED } from '@godwit/store/history'
import type { SqliteConnection } from '../connection.js'

export const INSERT_COMMIT =
  'INSERT INTO change_log (collection, version, time, origins, changes) VALUES (?, ?, ?, ?, ?)'
export const DELETE_COMMITS = 'DELETE FROM change_log WHERE collection = ? AND version <= ?'
/** Times never run back, so that this reads the old ones and the first that is not. */
export const SELECT_YOUNG =
  'SELECT version FROM change_log WHERE collection = ? AND time > ? ORDER BY collection, version LIMIT 1'

export type ListedChange = readonly [id: ObjectId, previous: number, origin: number]

/** The objects of a batch that is being written, with who writes each. */
export class CommitChanges {
  /** As JSON. */
  readonly #origins: string[] = []
  readonly #changes = new Map<ObjectId, ListedChange>()

  /** Of an object that is written twice the first version before it counts, and the last origin. */
  note(id: ObjectId, previous: number, origin: string): void {
    if (this.#origins.at(-1) !== origin) this.#origins.push(origin)
    this.#changes.set(id, [id, this.#changes.get(id)?.[1] ?? previous, this.#origins.length - 1])
  }

  /** What the row of the commit holds. */
  texts(): readonly [origins: string, changes: string | null] {
    const isListed = this.#changes.size <= MOST_LISTED || this.#origins.length > 1
    return [`[${this.#origins.join(',')}]`, isListed ? JSON.stringify([...this.#changes.values()]) : null]
  }
}

interface Commit {
  readonly collection: number
  readonly version: number
  readonly time: number
  /** Live objects after it. */
  readonly count: number
  readonly changes: CommitChanges
}

export function logCommit(connection: SqliteConnection, { collection, version, time, count, changes }: Commit): void {
  connection.statement(INSERT_COMMIT).run(collection, version, time, ...changes.texts())
  connection.statement(DELETE_COMMITS).run(collection, version - commitsKept(count))
}

/** Removes what is too old to be told. */
export function forgetCommits(connection: SqliteConnection, collection: number, now: number): void {
  const young = connection.statement<{ readonly version: number }>(SELECT_YOUNG).get(collection, now - COMMIT_LIFE)
  connection.statement(DELETE_COMMITS).run(collection, young ? young.version - 1 : Number.MAX_SAFE_INTEGER)
}
