import { isSyncError } from '@godwit/protocol'
import { isSqlTimeout } from '../database/time-limit.js'
import type { Condition, Query } from './query.js'
import { invalidSql } from './tokens.js'

/** What SQLite does not understand in a condition written in SQL is `query_invalid`: its writer can mend it. `run` learns of that SQL. */
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

/** What SQLite said. */
export function reasonOf(error: unknown): string {
  const cause = isSyncError(error) ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}
