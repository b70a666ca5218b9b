import type { Mutation, ObjectId, Outcome } from '@godwit/protocol'
import type { MutationState } from '@godwit/store'
import { type OwnerCreate, rewriteIds } from '@godwit/store/history'
import type { CollectionRow } from '../collections/head.js'
import type { SqliteConnection } from '../connection.js'
import { COLUMNS, entryOf, type MutationEntry, type MutationRow } from './entry.js'

/** Two devices may have created the same temporary id: the later create wins. */
export const SELECT_CREATE = `
SELECT key, state, outcome FROM mutation
WHERE collection = ? AND object = ? AND isCreate = 1
ORDER BY sequence DESC LIMIT 1`

interface CreateRow {
  readonly key: string
  readonly state: MutationState
  readonly outcome: string | null
}

/** Returns a function that looks up the create of a temporary id. */
export function createOf(
  connection: SqliteConnection,
  { number }: CollectionRow,
): (temporary: ObjectId) => OwnerCreate | undefined {
  const select = connection.statement<CreateRow>(SELECT_CREATE)
  return temporary => {
    const row = select.get(number, temporary)
    return row && { ...row, outcome: row.outcome === null ? undefined : (JSON.parse(row.outcome) as Outcome) }
  }
}

const RECORD_OWNER = 'INSERT OR IGNORE INTO owner (collection, owner, mutation) VALUES (?, ?, ?)'
const FORGET_OWNER = 'DELETE FROM owner WHERE collection = ? AND owner = ? AND mutation = ?'

/** A mutation with its row id. */
interface OwnedMutation {
  readonly row: number
  readonly mutation: Mutation
}

/** Indexes a mutation by each temporary id that it depends on. */
export function recordOwners(
  connection: SqliteConnection,
  { number }: CollectionRow,
  { row, mutation }: OwnedMutation,
): void {
  for (const owner of mutation.owners ?? []) connection.statement(RECORD_OWNER).run(number, owner, row)
}

/** Removes a mutation from the index of ids that it depends on. */
export function forgetOwners(
  connection: SqliteConnection,
  { number }: CollectionRow,
  { row, mutation }: OwnedMutation,
): void {
  for (const owner of mutation.owners ?? []) connection.statement(FORGET_OWNER).run(number, owner, row)
}

export const SELECT_DEPENDENTS = `
SELECT ${COLUMNS} FROM mutation
WHERE row IN (SELECT mutation FROM owner WHERE collection = ? AND owner = ?) AND decided = 0 AND key <> ?
ORDER BY sequence`

/** Returns undecided mutations that name the object of a create. */
export function dependentsOf(
  connection: SqliteConnection,
  { number }: CollectionRow,
  { key, object }: Mutation,
): readonly MutationEntry[] {
  return connection.statement<MutationRow>(SELECT_DEPENDENTS).all(number, object, key).map(entryOf)
}

const REWRITE = 'UPDATE mutation SET content = ?, object = ? WHERE row = ?'

/** Replaces temporary ids with real ones. */
export function relink(
  connection: SqliteConnection,
  collection: CollectionRow,
  { dependent, links }: { readonly dependent: MutationEntry; readonly links: ReadonlyMap<ObjectId, ObjectId> },
): void {
  const { row } = dependent
  const mutation = rewriteIds(dependent.mutation, links)
  forgetOwners(connection, collection, dependent)
  recordOwners(connection, collection, { row, mutation })
  connection.statement(REWRITE).run(JSON.stringify(mutation), mutation.object, row)
}
