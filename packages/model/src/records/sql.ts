import type { AttributeValue } from '@godwit/protocol'
import type { SqlRow } from '../database/driver.js'
import { aside } from '../live/aside.js'
import { moment } from '../live/trace.js'
import { reasonOf } from '../query/sql-errors.js'
import { type CompiledSql, compileSql } from '../query/sql-views.js'
import { invalidSql } from '../query/tokens.js'
import type { Engine } from './engine.js'

type Place = Pick<Engine, 'database' | 'models'>

/** Rows of a SELECT over models, as the database has them. It writes nothing. */
export function selectAll(place: Place, sql: string, values: readonly AttributeValue[]): readonly SqlRow[] {
  return run(place, sql, compiled(place, sql, values))
}

/** Calls back at once, and after each transaction that changed the rows. Call the result to stop. */
export function observeSelect(
  place: Place,
  { sql, values }: { readonly sql: string; readonly values: readonly AttributeValue[] },
  callback: (rows: readonly SqlRow[]) => void,
): () => void {
  const first = compiled(place, sql, values)
  const traced = place.models.live.trace.begin(first.models.join(', '), () => sql)
  const readNow = (): readonly SqlRow[] => {
    const since = moment()
    const now = selectAll(place, sql, values)
    traced.answered(now.length, since)
    return now
  }
  let rows = readNow()
  let isStopped = false
  const ask = () => {
    if (isStopped) return
    try {
      const now = readNow()
      if (JSON.stringify(now) === JSON.stringify(rows)) return
      rows = now
    } catch (error) {
      for (const name of first.models) place.models.live.failed(name, error)
      return
    }
    aside(() => callback(rows), place.models.live.callbacks.threw)
  }
  const stops = first.models.map(model =>
    place.models.live.observe({ model, matches: () => true, names: () => true, ask }),
  )
  const stop = () => {
    isStopped = true
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

const compiled = ({ models }: Place, sql: string, values: readonly AttributeValue[]): CompiledSql =>
  compileSql(
    sql,
    values,
    models.all().map(({ shape }) => shape),
  )

function run({ database }: Place, given: string, { sql, values }: CompiledSql): readonly SqlRow[] {
  database.checkOpen()
  try {
    return database.withStatement(sql, all => all.all(...values).map(row => Object.freeze({ ...row })))
  } catch (error) {
    throw invalidSql(given, reasonOf(error), error)
  }
}
