import { isSyncError, SyncError } from '@godwit/protocol'
import { valueText } from '../definition/value-text.js'
import type { Driver } from '../platform/driver.js'
import { moment } from '../platform/moment.js'

/** A SELECT written by the app, with its time limit in milliseconds; undefined for no limit. */
export interface LimitedSql {
  readonly sql: string
  readonly milliseconds: number | undefined
}

/** Collects rows one at a time. After the limit it ends the statement and throws `sql_timeout`. */
export function rowsWithin<Row>(
  { interruptible = (_, run) => run() }: Pick<Driver, 'interruptible'>,
  { sql, milliseconds = Infinity }: LimitedSql,
  read: () => Iterable<Row>,
): readonly Row[] {
  const end = moment() + milliseconds
  let isOver = false
  const look = (): boolean => {
    isOver ||= moment() > end
    return isOver
  }
  const collect = (): readonly Row[] => {
    const rows: Row[] = []
    for (const row of read()) {
      if (look()) break
      rows.push(row)
    }
    look()
    return rows
  }
  try {
    const rows = interruptible(look, collect)
    if (!isOver) return rows
  } catch (error) {
    if (!isOver) throw error
  }
  throw new SyncError(
    'sql_timeout',
    `The SQL ${JSON.stringify(sql)} did not finish within ${milliseconds} milliseconds. Read less at a time, add an index, or raise sqlTimeoutMilliseconds.`,
    { details: { sql, milliseconds } },
  )
}

/** Returns true for the error of a statement that exceeded its time limit. */
export const isSqlTimeout = (error: unknown): error is SyncError => isSyncError(error) && error.code === 'sql_timeout'

/** Throws `value_not_allowed` for an invalid limit. */
export function checkTimeLimit(name: string, milliseconds: unknown): void {
  if (milliseconds === undefined || (typeof milliseconds === 'number' && milliseconds > 0)) return
  throw new SyncError(
    'value_not_allowed',
    `${name}: expected a number of milliseconds above 0, got ${valueText(milliseconds)}. Leave it out for no limit.`,
  )
}
