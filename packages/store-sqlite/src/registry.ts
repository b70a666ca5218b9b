import type { RecordKind, RecordValue, Registry, RegistryRecord } from '@godwit/store'
import { attributesText, changeObject, parseAttributes, recordEnd } from '@godwit/store/history'
import type { SqliteConnection } from './connection.js'
import type { Database } from './database.js'
import type { RecordCache } from './record-cache.js'
import type { SqlValue } from './sqlite-handle.js'

/** A record's row. */
export interface RecordRow {
  readonly id: string
  readonly value: string
  readonly owner: string | null
  readonly expiresAt: number | null
}

const LIVES = '(expiresAt IS NULL OR expiresAt > ?)'
const COUNT = 'SELECT count(*) AS count FROM record'
export const COUNT_RECORDS = `${COUNT} WHERE kind = ? AND ${LIVES}`
export const COUNT_EACH = `SELECT owner, count(*) AS count FROM record
  WHERE kind = ? AND owner IN (SELECT value FROM json_each(?)) AND ${LIVES} GROUP BY owner`
export const SELECT_RECORD = `SELECT id, value, owner, expiresAt FROM record WHERE kind = ? AND id = ? AND ${LIVES}`
const PUT = 'INSERT OR REPLACE INTO record (kind, id, value, owner, expiresAt) VALUES (?, ?, ?, ?, ?)'
const UPDATE = 'UPDATE record SET value = ?, expiresAt = ? WHERE kind = ? AND id = ?'
const DELETE = `DELETE FROM record WHERE kind = ? AND id = ? AND ${LIVES}`
const DELETE_OWNED = `DELETE FROM record WHERE kind = ? AND owner = ? AND ${LIVES}`
/** Deletes a few expired records with each new one. */
const PURGE = 'DELETE FROM record WHERE rowid IN (SELECT rowid FROM record WHERE expiresAt <= ? LIMIT 10)'

export const sqliteRegistry = (database: Database, cache: RecordCache): Registry => ({
  get: (kind, id) =>
    database.read(connection => {
      const known = cache.get(kind, id)
      if (known !== undefined) return known
      const row = connection.statement<RecordRow>(SELECT_RECORD).get(kind, id, database.now())
      return row && cache.keep(kind, recordOf(row))
    }),
  ...writeMethods(database, cache),
  ...listMethods(database),
})

function writeMethods(
  database: Database,
  cache: RecordCache,
): Pick<Registry, 'create' | 'merge' | 'delete' | 'deleteOwned'> {
  const { now } = database
  const write = <Result>(kind: RecordKind, id: string | undefined, work: (connection: SqliteConnection) => Result) =>
    cache.written(kind === 'refusal' ? database.write(work) : database.writeFlushed(work), kind, id)
  /** Changes of clients and credentials are uses and positions, which a device repeats. */
  const isOfUse = (kind: RecordKind): boolean => kind === 'client' || kind === 'credential'
  return {
    create: (kind, record) => write(kind, record.id, connection => create(connection, kind, { record, now: now() })),
    merge: (kind, id, change, { expiresAt } = {}) =>
      cache.written(
        database[isOfUse(kind) ? 'write' : 'writeFlushed'](connection => {
          const row = connection.statement<RecordRow>(SELECT_RECORD).get(kind, id, now())
          return row && merge(connection, kind, { row, change, expiresAt: recordEnd(expiresAt) ?? row.expiresAt })
        }),
        kind,
        id,
      ),
    delete: (kind, id) => write(kind, id, connection => connection.statement(DELETE).run(kind, id, now()).changes > 0),
    deleteOwned: (kind, owner) =>
      write(kind, undefined, connection => connection.statement(DELETE_OWNED).run(kind, owner, now()).changes),
  }
}

function create(
  connection: SqliteConnection,
  kind: RecordKind,
  { record, now }: { readonly record: RegistryRecord; readonly now: number },
): boolean {
  const { id, value, owner, expiresAt } = record
  connection.statement(PURGE).run(now)
  if (connection.statement(SELECT_RECORD).get(kind, id, now)) return false
  connection.statement(PUT).run(kind, id, attributesText(value), owner ?? null, recordEnd(expiresAt) ?? null)
  return true
}

interface Merge {
  readonly row: RecordRow
  readonly change: RecordValue
  readonly expiresAt: number | null
}

function merge(connection: SqliteConnection, kind: RecordKind, { row, change, expiresAt }: Merge): RegistryRecord {
  const value = changeObject(row.value, { merge: change })?.text ?? row.value
  connection.statement(UPDATE).run(value, expiresAt, kind, row.id)
  return recordOf({ ...row, value, expiresAt })
}

const listMethods = (database: Database): Pick<Registry, 'list' | 'count' | 'countEach'> => ({
  list: (kind, { owner, after, limit }) =>
    database.read(connection => {
      const { where, values } = conditions(database.now(), { kind, owner, after })
      const sql = `SELECT id, value, owner, expiresAt FROM record WHERE ${where} ORDER BY id LIMIT ?`
      return connection
        .statement<RecordRow>(sql)
        .all(...values, limit)
        .map(recordOf)
    }),
  count: (kind, owner) =>
    database.read(connection => {
      const { where, values } = conditions(database.now(), { kind, owner })
      const sql = `${COUNT} WHERE ${where}`
      return connection.statement<{ readonly count: number }>(sql).get(...values)?.count ?? 0
    }),
  countEach: (kind, owners) =>
    database.read(connection => {
      const named = owners.map(owner => owner.toWellFormed())
      const rows = connection.statement<OwnerCount>(COUNT_EACH).all(kind, JSON.stringify(named), database.now())
      const counts = new Map(rows.map(({ owner, count }) => [owner, count]))
      return named.map(owner => counts.get(owner) ?? 0)
    }),
})

interface OwnerCount {
  readonly owner: string
  readonly count: number
}

interface RecordFilter {
  readonly kind: RecordKind
  readonly owner?: string | undefined
  readonly after?: string | undefined
}

function conditions(now: number, { kind, owner, after }: RecordFilter): { where: string; values: readonly SqlValue[] } {
  const filters = Object.entries({ 'kind =': kind, 'owner =': owner, 'id >': after })
  const given = filters.filter((entry): entry is [string, string] => entry[1] !== undefined)
  const where = [...given.map(([condition]) => `${condition} ?`), LIVES].join(' AND ')
  return { where, values: [...given.map(([, value]) => value), now] }
}

export function recordOf({ id, value, owner, expiresAt }: RecordRow): RegistryRecord {
  const attributes: RecordValue = parseAttributes(value)
  return { id, value: attributes, ...(owner !== null && { owner }), ...(expiresAt !== null && { expiresAt }) }
}
