import { callSafely } from '../live/call-safely.js'
import { TimeoutPause } from '../live/timeout-pause.js'
import type { SqlRow } from '../platform/driver.js'
import { moment } from '../platform/moment.js'
import { reasonOf } from '../query/sql-errors.js'
import { type CompiledSql, compileSql } from '../query/sql-views.js'
import { checkTimeLimit, isSqlTimeout } from '../query/time-limit.js'
import { invalidSql } from '../query/tokens.js'
import type { RecordEngine } from './record-engine.js'
import type { Select } from './select.js'

type SqlContext = Pick<RecordEngine, 'database' | 'models'>

/** Returns the rows of a read-only SELECT over models. */
export function selectAll(place: SqlContext, select: Select): readonly SqlRow[] {
  checkTimeLimit('timeoutMilliseconds', select.timeoutMilliseconds)
  return run(place, select, compileSelect(place, select))
}

/** Calls back immediately, and after each transaction that changed the rows. Call the result to stop. */
export function observeSelect(
  place: SqlContext,
  select: Select,
  callback: (rows: readonly SqlRow[]) => void,
): () => void {
  const { live } = place.models
  const first = compileSelect(place, select)
  const traced = live.trace.begin(first.models.join(', '), () => select.sql)
  const readNow = (): readonly SqlRow[] => {
    const since = moment()
    const now = selectAll(place, select)
    traced.ran(now.length, since)
    return now
  }
  let rows = readNow()
  let isStopped = false
  const pause = new TimeoutPause(live, () => refresh())
  const refresh = () => {
    if (isStopped || pause.isOn) return
    try {
      const now = readNow()
      pause.end()
      if (JSON.stringify(now) === JSON.stringify(rows)) return
      rows = now
    } catch (error) {
      const reported = isSqlTimeout(error) ? first.models.slice(0, 1) : first.models
      if (pause.isNews(error)) for (const name of reported) live.failed(name, error)
      return
    }
    callSafely(() => callback(rows), live.callbacks.threw)
  }
  const stops = first.models.map(model => live.observe({ model, matches: () => true, names: () => true, refresh }))
  const stop = () => {
    isStopped = true
    pause.end()
    traced.end()
    for (const one of stops) one()
  }
  try {
    callback(rows)
  } catch (error) {
    stop()
    throw error
  }
  return stop
}

const compileSelect = ({ models }: SqlContext, { sql, values }: Select): CompiledSql =>
  compileSql(
    sql,
    values,
    models.all().map(({ shape }) => shape),
  )

function run({ database }: SqlContext, select: Select, { sql, values }: CompiledSql): readonly SqlRow[] {
  database.checkOpen()
  const milliseconds = select.timeoutMilliseconds ?? database.sqlTimeoutMilliseconds
  try {
    return database.withStatement(sql, statement => {
      const rows =
        milliseconds === undefined
          ? statement.all(...values)
          : database.within({ sql: select.sql, milliseconds }, () => statement.iterate(...values))
      return rows.map(row => Object.freeze({ ...row }))
    })
  } catch (error) {
    throw isSqlTimeout(error) ? error : invalidSql(select.sql, reasonOf(error), error)
  }
}
