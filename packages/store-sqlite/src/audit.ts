import type { Audit, AuditHead, AuditRow } from '@godwit/store'
import type { SqliteConnection } from './connection.js'
import type { Database } from './database.js'

export const SELECT_HEAD = 'SELECT number, hash FROM audit_head'
const INSERT = 'INSERT INTO audit (number, text, hash) VALUES (?, ?, ?)'
const DELETE_HEAD = 'DELETE FROM audit_head'
const INSERT_HEAD = 'INSERT INTO audit_head (number, hash) VALUES (?, ?)'
export const SELECT_AUDIT = 'SELECT number, text, hash FROM audit WHERE number < ? ORDER BY number DESC LIMIT ?'

export function sqliteAudit(database: Database): Audit {
  return {
    append: rows => database.write(connection => append(connection, rows)),
    head: () => database.read(headOf),
    list: ({ before = Number.MAX_SAFE_INTEGER, limit }) =>
      database.read(connection => connection.statement<AuditRow>(SELECT_AUDIT).all(before, limit)),
  }
}

const headOf = (connection: SqliteConnection): AuditHead | undefined =>
  connection.statement<AuditHead>(SELECT_HEAD).get()

function append(connection: SqliteConnection, rows: readonly AuditRow[]): boolean {
  const last = rows.at(-1)
  if (!last) return true
  if (rows[0]?.number !== (headOf(connection)?.number ?? 0) + 1) return false
  for (const { number, text, hash } of rows) connection.statement(INSERT).run(number, text, hash)
  connection.run(DELETE_HEAD)
  connection.statement(INSERT_HEAD).run(last.number, last.hash)
  return true
}
