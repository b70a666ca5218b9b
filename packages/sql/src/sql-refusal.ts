import { messageOf, refusal } from '@godwit/source'
import { constraintOf, sqlState } from './sql-state.js'

/** Errors of MySQL and MariaDB about values that have a general SQLSTATE: no default, an incorrect value, a check. */
const VALUE_ERRORS = new Set([1364, 1366, 3819, 4025])
const DEADLOCKS = new Set(['40001', '40P01'])

/** Returns a refusal for data that the database never accepts (SQLSTATE classes 22, 23 and 44); any other error stays as it is. */
export function asRefusal(error: unknown): unknown {
  if (!isAboutData(error)) return error
  const constraint = constraintOf(error)
  return refusal(
    constraint === undefined
      ? `The database does not accept a value: ${messageOf(error)}`
      : `The database does not accept the change: it violates ${constraint}.`,
  )
}

function isAboutData(error: unknown): boolean {
  if (/^(22|23|44)/.test(sqlState(error) ?? '')) return true
  const { code, errno, errcode } = error as {
    readonly code?: unknown
    readonly errno?: unknown
    readonly errcode?: unknown
  }
  if (VALUE_ERRORS.has(Number(errno))) return true
  // Constraint and mismatch, by better-sqlite3 and by node:sqlite.
  return /^SQLITE_(CONSTRAINT|MISMATCH)/.test(String(code)) || [19, 20].includes(Number(errcode) & 0xff)
}

/** True if the database has rolled the transaction back and it may be tried again. */
export const isRolledBack = (error: unknown): boolean => DEADLOCKS.has(sqlState(error) ?? '')
