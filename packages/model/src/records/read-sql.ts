import { type AttributeValue, isSyncError, type ObjectId, SyncError } from '@godwit/protocol'
import type { Database } from '../database/database.js'
import type { SqlValue } from '../database/driver.js'
import { makeView } from '../database/model-tables.js'
import type { Models } from '../database/models.js'
import type { Engine } from './engine.js'
import { get } from './read.js'
import type { Row } from './records.js'

/** How many undeclared attributes of bags one statement may name. */
const MAX_NAMES = 50

/** Rows of a SELECT over models by name, joined back to this model by their `object`. Nothing can be written. */
export function readSql(engine: Engine, sql: string, values: readonly AttributeValue[]): readonly Row[] {
  const { database, model } = engine
  if (!/^\s*(SELECT|WITH|VALUES)\b/i.test(sql)) throw invalid(sql, 'expected one SELECT')
  const found = onlyReading(database, () =>
    withViews(engine, sql, () => database.prepareForeign(sql).all(...values.map(bound))),
  )
  if (found[0] && !('object' in found[0]))
    throw invalid(sql, `expected a column "object", which says which ${model.name} a row is`)
  return found.flatMap(({ object }) => (typeof object === 'string' ? (get(engine, object as ObjectId) ?? []) : []))
}

function onlyReading<T>(database: Database, run: () => T): T {
  database.exec('PRAGMA query_only = ON')
  try {
    return run()
  } finally {
    database.exec('PRAGMA query_only = OFF')
  }
}

/** A bag has whatever attributes its objects have: one that SQL names and the view lacks is added to the view. */
function withViews<T>({ database, models }: Engine, sql: string, run: () => T): T {
  const names = new Set<string>()
  for (;;) {
    try {
      return run()
    } catch (error) {
      const missing = missingColumn(error)
      if (missing === undefined || names.has(missing) || names.size === MAX_NAMES)
        throw invalid(sql, reasonOf(error), error)
      names.add(missing)
      widen(database, models, names)
    }
  }
}

function widen(database: Database, models: Models, names: ReadonlySet<string>): void {
  database.exec('PRAGMA query_only = OFF')
  for (const { definition, shape } of models.all()) if (definition.storage === 'bag') makeView(database, shape, names)
  database.exec('PRAGMA query_only = ON')
}

const missingColumn = (error: unknown): string | undefined =>
  /no such column: (?:[^.\s]+\.)?"?([^"\s]+?)"?(?: - |\.?$)/.exec(reasonOf(error))?.[1]

function reasonOf(error: unknown): string {
  const cause = isSyncError(error) ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}

const bound = (value: AttributeValue): SqlValue => {
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

const invalid = (sql: string, reason: string, cause?: unknown): SyncError =>
  new SyncError('query_invalid', `The SQL cannot be run: ${reason}.`, {
    details: { sql },
    ...(cause !== undefined && { cause }),
  })
