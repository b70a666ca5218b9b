import { isSyncError } from '@godwit/protocol'
import type { Condition, Query } from './query-tree.js'
import { isSqlTimeout } from './time-limit.js'
import { invalidSql } from './tokens.js'

/** Converts SQLite's error about SQL that the app wrote in a condition to `query_invalid`. `run` receives that SQL. */
export function blamingSql<T>({ condition }: Query, run: (sql: string | undefined) => T): T {
  const sql = condition && sqlIn(condition)
  if (sql === undefined) return run(undefined)
  try {
    return run(sql)
  } catch (error) {
    throw isSqlTimeout(error) ? error : invalidSql(sql, reasonOf(error), error)
  }
}

function sqlIn(condition: Condition): string | undefined {
  if (condition.kind === 'sql') return condition.sql
  if (condition.kind === 'related') return condition.condition && sqlIn(condition.condition)
  if (condition.kind !== 'and' && condition.kind !== 'or') return undefined
  return condition.parts.map(sqlIn).find(sql => sql !== undefined)
}

/** Returns SQLite's message. */
export function reasonOf(error: unknown): string {
  const cause = isSyncError(error) ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}
