import { setTimeout as after } from 'node:timers/promises'
import Database from 'better-sqlite3'
import type { Traces } from './device.js'

/** The size of a table of the store. */
export interface TableCount {
  readonly table: string
  readonly rows: number
  /** Expected maximum number of rows, by the actions of the present devices. */
  readonly most: number
  /** Size in bytes, including indices. */
  readonly bytes: number
}

/** Returns the bytes of each table including indices; free pages are not counted. */
export function tableBytes(store: string): ReadonlyMap<string, number> {
  const database = new Database(store, { readonly: true })
  try {
    const rows = database
      .prepare<[], { readonly table: string; readonly bytes: number }>(
        `SELECT coalesce(tbl_name, stat.name) AS "table", sum(pgsize) AS bytes
         FROM dbstat AS stat LEFT JOIN sqlite_schema USING (name) WHERE aggregate = TRUE GROUP BY 1`,
      )
      .all()
    return new Map(rows.map(({ table, bytes }) => [table, bytes]))
  } finally {
    database.close()
  }
}

/** Seconds within which the data of removed users must be swept. */
const SWEPT = 120

/** Counts the rows of every table after dropped data has been swept. */
export async function census(store: string, most: ReadonlyMap<string, number>): Promise<readonly TableCount[]> {
  const database = new Database(store, { readonly: true })
  try {
    const count = (table: string): number =>
      database.prepare<[], number>(`SELECT count(*) FROM "${table}"`).pluck().get() ?? 0
    for (let waited = 0; waited < SWEPT && count('dropped') + count('dropped_blob') > 0; waited++) await after(1000)
    return [...tableBytes(store)]
      .filter(([table]) => !table.startsWith('sqlite_'))
      .map(([table, bytes]) => ({ table, rows: count(table), most: most.get(table) ?? 0, bytes }))
      .sort((one, other) => other.bytes - one.bytes)
  } finally {
    database.close()
  }
}

/** Maximum number of commits in the change log of a small collection. */
const COMMITS = 203
const PRICES = 300
/** Upper limit for tables that do not grow with devices, such as jobs, documents, and statistics points per minute. */
const FEW = 100

/** Returns the expected maximum rows by table, for these users, one shared source queried every two seconds, and a number of removals. */
export function expectedRows(
  users: readonly Traces[],
  { seconds, removals }: { readonly seconds: number; readonly removals: number },
): ReadonlyMap<string, number> {
  const sum = (of: (traces: Traces) => number): number => users.reduce((total, traces) => total + of(traces), 0)
  const collections = users.length + 1
  const edits = sum(traces => traces.edits)
  const mutations = sum(traces => traces.mutations)
  const photos = sum(traces => traces.photos)
  const queries = Math.ceil(seconds / 2) + FEW
  const bulkFiles = Math.ceil(seconds / 60) + 5
  return new Map([
    // Keys are retained for the life of the client.
    ['mutation', mutations],
    ['place', mutations],
    ['client', sum(traces => traces.clients)],
    ['collection', collections],
    ['object', edits + PRICES],
    // Each collection begins with one batch.
    ['batch', collections + edits + queries],
    ['change_log', sum(traces => Math.min(traces.edits, COMMITS)) + COMMITS],
    ['reader', users.length * 2],
    ['blob', photos + bulkFiles],
    ['blob_part', photos + bulkFiles],
    ['blob_hold', photos],
    ['blob_account', users.length],
    // User, client, session, and for a while replaced ones; refusals are retained for 30 days.
    ['record', users.length * 3 + sum(traces => traces.refused) + FEW],
    // The audit log is never truncated.
    ['audit', removals + FEW],
    ['point', Math.ceil(seconds / 60 + 2) * FEW],
    ...['audit_head', 'document', 'dropped', 'dropped_blob', 'job', 'lease', 'opening', 'owner', 'series'].map(
      table => [table, FEW] as const,
    ),
  ])
}
