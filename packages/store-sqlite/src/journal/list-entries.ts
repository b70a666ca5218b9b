import type { Outcome } from '@godwit/protocol'
import {
  CLOCK_SLACK,
  type CollectionId,
  type JournalEntry,
  type OutcomePage,
  type Outcomes,
  type UndecidedCursor,
} from '@godwit/store'
import { takeUpTo } from '@godwit/store/history'
import { type CollectionRow, find } from '../collections/head.js'
import type { SqliteConnection } from '../connection.js'
import type { Database } from '../database.js'
import { clientOf } from './clients.js'
import { COLUMNS, entryOf, locate, type MutationRow, toJournalEntry } from './entry.js'

export const SELECT_OUTCOMES = `
SELECT outcome FROM mutation
WHERE collection = ? AND client = ? AND outcomeNumber > ?
ORDER BY outcomeNumber LIMIT ?`

export function outcomes(database: Database, id: CollectionId, client: string, page: OutcomePage): Promise<Outcomes> {
  return database.readAll(connection => {
    const collection = find(connection, id)
    return collection
      ? outcomesIn(connection, collection, client, page)
      : { outcomes: [], last: 0, more: page.limit === 0 }
  })
}

export function outcomesIn(
  connection: SqliteConnection,
  collection: CollectionRow,
  client: string,
  { after, limit }: OutcomePage,
): Outcomes {
  const { acknowledged, outcomes: last } = clientOf(connection, collection, client)
  const from = Math.max(after, acknowledged)
  if (from >= last) return { outcomes: [], last, more: limit === 0 }
  const rows = connection.statement<{ readonly outcome: string }>(SELECT_OUTCOMES)
  const texts = rows.iterate(collection.number, client, from, limit)
  const { taken, more } = takeUpTo(texts, limit, ({ outcome }) => Buffer.byteLength(outcome))
  return { outcomes: taken.map(({ outcome }) => JSON.parse(outcome) as Outcome), last, more }
}

export function entries(
  database: Database,
  id: CollectionId,
  keys: readonly string[],
): Promise<readonly JournalEntry[]> {
  return database.readAll(connection => {
    const located = keys.flatMap(key => locate(connection, id, key) ?? [])
    return located.map(({ entry, collection }) => toJournalEntry(entry, collection))
  })
}

const sizeOf = ({ content }: MutationRow): number => Buffer.byteLength(content)

export const SELECT_QUEUED = `
SELECT ${COLUMNS} FROM mutation
WHERE collection = ? AND decided = 0 AND sequence > ? AND state = 'queued' AND (retryAt <= ? OR waitsSince > ?)
AND (? IS NULL OR client = ?)
ORDER BY sequence LIMIT ?`

export interface QueuedPage {
  readonly client?: string | undefined
  readonly after?: number | undefined
  readonly limit: number
}

export function listQueued(
  database: Database,
  id: CollectionId,
  { client, after = 0, limit }: QueuedPage,
): Promise<readonly JournalEntry[]> {
  return database.readAll(connection => {
    const collection = find(connection, id)
    if (!collection) return []
    const rows = connection.statement<MutationRow>(SELECT_QUEUED)
    const now = database.now()
    const found = rows.iterate(collection.number, after, now, now + CLOCK_SLACK, client ?? null, client ?? null, limit)
    return takeUpTo(found, limit, sizeOf).taken.map(row => toJournalEntry(entryOf(row), collection))
  })
}

export const SELECT_UNDECIDED_OF_ALL = `
SELECT mutation.*, source, partition FROM mutation INDEXED BY mutation_undecided
JOIN collection ON collection.number = mutation.collection
WHERE decided = 0 AND state = ? AND (state <> 'started' OR until <= ? OR waitsSince > ?)
AND (source, partition, mutation.sequence) > (?, ?, ?)
ORDER BY source, partition, mutation.sequence LIMIT ?`

export interface UndecidedPage {
  readonly state: 'queued' | 'started' | 'in_doubt'
  readonly after?: UndecidedCursor | undefined
  readonly limit: number
}

export function listUndecided(
  database: Database,
  { state, after, limit }: UndecidedPage,
): Promise<readonly (JournalEntry & { readonly fence: number })[]> {
  const { source, partition } = after?.collection ?? { source: '', partition: '' }
  return database.readAll(connection => {
    const rows = connection.statement<MutationRow & CollectionId>(SELECT_UNDECIDED_OF_ALL)
    const now = database.now()
    const found = rows.iterate(state, now, now + CLOCK_SLACK, source, partition, after?.sequence ?? 0, limit)
    return takeUpTo(found, limit, sizeOf).taken.map(row => ({ ...toJournalEntry(entryOf(row), row), fence: row.fence }))
  })
}
