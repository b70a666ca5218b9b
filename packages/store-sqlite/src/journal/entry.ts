import type { Mutation, Outcome } from '@godwit/protocol'
import type { CollectionId, JournalEntry, MutationState } from '@godwit/store'
import type { FirstStart } from '@godwit/store/history'
import { type CollectionRow, find } from '../collections/head.js'
import type { SqliteConnection } from '../connection.js'

/** A row of the table `mutation`. */
export interface MutationRow {
  readonly row: number
  readonly client: string
  /** The client's number; 0 or below for a mutation of an earlier epoch, which no device counts. */
  readonly number: number
  readonly user: string
  readonly sequence: number
  /** The mutation as JSON. */
  readonly content: string
  /** 1 if no content is stored. */
  readonly contentless: number
  readonly state: MutationState
  readonly attempts: number
  /** The fence of its last start; 0 if never started. */
  readonly fence: number
  readonly retryAt: number
  /** The time of its last start or release. */
  readonly waitsSince: number
  readonly firstStart: string | null
  readonly outcome: string | null
}

/** A row with its parsed content. */
export interface MutationEntry extends MutationRow {
  readonly mutation: Mutation
}

/** The columns of a `MutationRow`. */
export const COLUMNS =
  'row, client, number, user, sequence, content, contentless, state, attempts, fence, retryAt, waitsSince, firstStart, outcome'

export const SELECT_ENTRY = `SELECT ${COLUMNS} FROM mutation WHERE collection = ? AND key = ?`
const SELECT_UNDECIDED = `SELECT ${COLUMNS} FROM mutation WHERE row = ? AND decided = 0`

/** Parses the content of a row, in place. */
export const entryOf = (row: MutationRow): MutationEntry =>
  Object.assign(row, { mutation: { ...(JSON.parse(row.content) as Mutation), number: row.number } })

/** Returns a mutation of a collection by its key. */
export function entryOfKey(
  connection: SqliteConnection,
  { number }: CollectionRow,
  key: string,
): MutationEntry | undefined {
  const row = connection.statement<MutationRow>(SELECT_ENTRY).get(number, key)
  return row && entryOf(row)
}

/** Returns an undecided mutation by its row id, or undefined if it is decided. */
export function undecidedEntry(connection: SqliteConnection, row: number): MutationEntry | undefined {
  const found = connection.statement<MutationRow>(SELECT_UNDECIDED).get(row)
  return found && entryOf(found)
}

/** An entry with its collection. */
export interface LocatedMutation {
  readonly collection: CollectionRow
  readonly entry: MutationEntry
}

/** Returns a collection and a mutation in it by key, or undefined if either is missing. */
export function locate(connection: SqliteConnection, id: CollectionId, key: string): LocatedMutation | undefined {
  const collection = find(connection, id)
  const entry = collection && entryOfKey(connection, collection, key)
  return entry && { collection, entry }
}

/** Returns the outcome of a row, or undefined if it has none. */
export const outcomeIn = ({ outcome }: MutationRow) => (outcome === null ? undefined : (JSON.parse(outcome) as Outcome))

/** Returns the state recorded at the first start of a row, or undefined if it was never started. */
export const firstStartIn = ({ firstStart }: MutationRow) =>
  firstStart === null ? undefined : (JSON.parse(firstStart) as FirstStart)

/** Converts an entry for the store interface. */
export function toJournalEntry(entry: MutationEntry, { source, partition }: CollectionId): JournalEntry {
  const { client, user, sequence, mutation, state, attempts } = entry
  const outcome = outcomeIn(entry)
  const collection = { source, partition }
  return { collection, client, user, sequence, mutation, state, attempts, ...(outcome && { outcome }) }
}
