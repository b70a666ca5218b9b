import type { Mutation, Outcome } from '@godwit/protocol'
import type { CollectionId, JournalEntry, MutationState } from '@godwit/store'
import type { FirstStart } from '@godwit/store/history'
import { type CollectionRow, find } from '../collections/head.js'
import type { SqliteConnection } from '../connection.js'

/** A row of the table `mutation`. */
export interface MutationRow {
  readonly row: number
  readonly client: string
  /** Its number there; 0 and below: of an epoch before, so that no device counts it. */
  readonly number: number
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
  /** When it was last started or given up. */
  readonly waitsSince: number
  readonly firstStart: string | null
  readonly outcome: string | null
}

/** The same, with its content read. */
export interface MutationEntry extends MutationRow {
  readonly mutation: Mutation
}

/** The columns of a `MutationRow`. */
export const COLUMNS =
  'row, client, number, user, sequence, content, contentless, state, attempts, fence, retryAt, waitsSince, firstStart, outcome'

export const SELECT_ENTRY = `SELECT ${COLUMNS} FROM mutation WHERE collection = ? AND key = ?`
const SELECT_UNDECIDED = `SELECT ${COLUMNS} FROM mutation WHERE row = ? AND decided = 0`

/** Reads the content of a row, in place. */
export const entryOf = (row: MutationRow): MutationEntry =>
  Object.assign(row, { mutation: { ...(JSON.parse(row.content) as Mutation), number: row.number } })

/** Finds a mutation of a collection by its key. */
export function entryOfKey(
  connection: SqliteConnection,
  { number }: CollectionRow,
  key: string,
): MutationEntry | undefined {
  const row = connection.statement<MutationRow>(SELECT_ENTRY).get(number, key)
  return row && entryOf(row)
}

/** Finds a mutation by its row id; undefined once it is decided. */
export function undecidedEntry(connection: SqliteConnection, row: number): MutationEntry | undefined {
  const found = connection.statement<MutationRow>(SELECT_UNDECIDED).get(row)
  return found && entryOf(found)
}

/** An entry in its collection. */
export interface LocatedMutation {
  readonly collection: CollectionRow
  readonly entry: MutationEntry
}

/** Finds a collection and in it a mutation by its key. Returns undefined where either is missing. */
export function locate(connection: SqliteConnection, id: CollectionId, key: string): LocatedMutation | undefined {
  const collection = find(connection, id)
  const entry = collection && entryOfKey(connection, collection, key)
  return entry && { collection, entry }
}

/** The outcome of a row; undefined where it has none yet. */
export const outcomeIn = ({ outcome }: MutationRow) => (outcome === null ? undefined : (JSON.parse(outcome) as Outcome))

/** What was noted at the first start of a row; undefined where it was never started. */
export const firstStartIn = ({ firstStart }: MutationRow) =>
  firstStart === null ? undefined : (JSON.parse(firstStart) as FirstStart)

/** As the interface shows it. */
export function toJournalEntry(entry: MutationEntry, { source, partition }: CollectionId): JournalEntry {
  const { client, user, sequence, mutation, state, attempts } = entry
  const outcome = outcomeIn(entry)
  const collection = { source, partition }
  return { collection, client, user, sequence, mutation, state, attempts, ...(outcome && { outcome }) }
}
