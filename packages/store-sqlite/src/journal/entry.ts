import type { Mutation, Outcome } from '@godwit/protocol'
import type { CollectionId, JournalEntry, MutationState } from '@godwit/store'
import type { FirstStart } from '@godwit/store/history'
import { type CollectionRow, find } from '../collections/head.js'
import type { Connection } from '../connection.js'

/** A row of the table `mutation`. */
export interface MutationRow {
  readonly row: number
  readonly key: string
  readonly client: string
  readonly user: string
  readonly sequence: number
  /** The mutation as JSON. */
  readonly content: string
  /** 1: no content is kept. */
  readonly contentless: number
  readonly state: MutationState
  readonly attempts: number
  /** Of its last start; 0: never started. */
  readonly fence: number
  readonly retryAt: number
  readonly firstStart: string | null
  readonly outcome: string | null
}

export const COLUMNS =
  'row, key, client, user, sequence, content, contentless, state, attempts, fence, retryAt, firstStart, outcome'

export const SELECT_ENTRY = `SELECT ${COLUMNS} FROM mutation WHERE collection = ? AND key = ?`

export function entryOf(connection: Connection, { number }: CollectionRow, key: string): MutationRow | undefined {
  return connection.statement<MutationRow>(SELECT_ENTRY).get(number, key)
}

const SELECT_UNDECIDED = `SELECT ${COLUMNS} FROM mutation WHERE row = ? AND decided = 0`

export function undecidedRow(connection: Connection, row: number): MutationRow | undefined {
  return connection.statement<MutationRow>(SELECT_UNDECIDED).get(row)
}

export interface Located {
  readonly collection: CollectionRow
  readonly entry: MutationRow
}

export function locate(connection: Connection, id: CollectionId, key: string): Located | undefined {
  const collection = find(connection, id)
  const entry = collection && entryOf(connection, collection, key)
  return entry && { collection, entry }
}

export const mutationOf = ({ content }: MutationRow) => JSON.parse(content) as Mutation

export const outcomeOfRow = ({ outcome }: MutationRow) =>
  outcome === null ? undefined : (JSON.parse(outcome) as Outcome)

export const firstStartOf = ({ firstStart }: MutationRow) =>
  firstStart === null ? undefined : (JSON.parse(firstStart) as FirstStart)

/** As the interface shows it. */
export function shown(row: MutationRow, { source, partition }: CollectionId): JournalEntry {
  const { client, user, sequence, state, attempts } = row
  const outcome = outcomeOfRow(row)
  return {
    collection: { source, partition },
    ...{ client, user, sequence, state, attempts },
    mutation: mutationOf(row),
    ...(outcome && { outcome }),
  }
}
