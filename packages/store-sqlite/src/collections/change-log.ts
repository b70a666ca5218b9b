import type { ObjectId } from '@godwit/protocol'
import type { CollectionId } from '@godwit/store'
import { COMMIT_LIFE, MAX_LISTED, maxCommits } from '@godwit/store/history'
import type { SqliteConnection } from '../connection.js'
import type { Database } from '../database.js'
import { find } from './head.js'

export const INSERT_COMMIT =
  'INSERT INTO change_log (collection, version, time, origins, changes) VALUES (?, ?, ?, ?, ?)'
export const DELETE_COMMITS = 'DELETE FROM change_log WHERE collection = ? AND version <= ?'
export const SELECT_OLDEST = 'SELECT time FROM change_log WHERE collection = ? ORDER BY version LIMIT 1'
/** Times never decrease, so this reads the old commits and one more. */
export const SELECT_YOUNG =
  'SELECT version FROM change_log WHERE collection = ? AND time > ? ORDER BY collection, version LIMIT 1'

/** An object of a commit: the id, the previous version (negative: a tombstone; 0: none), and the index of the origin. */
export type ListedChange = readonly [id: ObjectId, previous: number, origin: number]

/** The changes of an open batch, with the origin of each. */
export class CommitChanges {
  /** JSON texts. */
  readonly #origins: string[] = []
  readonly #changes = new Map<ObjectId, ListedChange>()

  /** Notes a change. For an object written twice, the first previous version and the last origin count. */
  record(id: ObjectId, previous: number, origin: string): void {
    if (this.#origins.at(-1) !== origin) this.#origins.push(origin)
    this.#changes.set(id, [id, this.#changes.get(id)?.[1] ?? previous, this.#origins.length - 1])
  }

  /** Returns the columns of the commit's row. */
  texts(): readonly [origins: string, changes: string | null] {
    const isListed = this.#changes.size <= MAX_LISTED || this.#origins.length > 1
    return [`[${this.#origins.join(',')}]`, isListed ? JSON.stringify([...this.#changes.values()]) : null]
  }
}

interface Commit {
  readonly collection: number
  readonly version: number
  readonly time: number
  /** Live objects after the commit. */
  readonly count: number
  readonly changes: CommitChanges
}

/** Adds a commit to the change log, and removes those beyond the maximum. */
export function logCommit(connection: SqliteConnection, { collection, version, time, count, changes }: Commit): void {
  connection.statement(INSERT_COMMIT).run(collection, version, time, ...changes.texts())
  connection.statement(DELETE_COMMITS).run(collection, version - maxCommits(count))
}

/** Removes commits past their retention time. Writes only if there are any. */
export async function forgetHistory(database: Database, collection: CollectionId): Promise<void> {
  const oldest = database.now() - COMMIT_LIFE
  const hasOld = await database.read(connection => {
    const row = find(connection, collection)
    const first = row && connection.statement<{ readonly time: number }>(SELECT_OLDEST).get(row.number)
    return first !== undefined && first.time <= oldest
  })
  if (!hasOld) return
  await database.write(connection => {
    const row = find(connection, collection)
    if (!row) return
    const young = connection.statement<{ readonly version: number }>(SELECT_YOUNG).get(row.number, oldest)
    connection.statement(DELETE_COMMITS).run(row.number, young ? young.version - 1 : Number.MAX_SAFE_INTEGER)
  })
}
