import type { AttributeValue, ObjectId } from '@godwit/protocol'
import { displayedCodec } from '../columns/displayed-codec.js'
import { reasonOf } from '../query/sql-errors.js'
import { compileSelect } from '../query/sql-select.js'
import { isSqlTimeout } from '../query/time-limit.js'
import { invalidSql } from '../query/tokens.js'
import type { RecordEngine } from './record-engine.js'
import type { RecordRow } from './records.js'
import { displayedRow, rowOf } from './row.js'

/** Returns the rows of a read-only SELECT over models by name, joined back to this model by the column `object`. */
export function readSql(engine: RecordEngine, sql: string, values: readonly AttributeValue[]): readonly RecordRow[] {
  const { models, model } = engine
  const all = models.all().map(({ shape }) => shape)
  const compiled = compileSelect(sql, values, { shape: model.shape, all })
  const { codec } = model.rows
  const rows = run(engine, sql, compiled)
  if (!model.definition.typed) return rows.map(row => rowOf(engine, row[0] as ObjectId, codec.decode(row, 1)))
  const displayed = displayedCodec(model.definition)
  return rows.map(row => displayedRow(engine, row[0] as ObjectId, displayed.decode(row, 1)))
}

function run({ database }: RecordEngine, given: string, { sql, values }: ReturnType<typeof compileSelect>) {
  const milliseconds = database.sqlTimeoutMilliseconds
  try {
    return database.withStatement(sql, statement =>
      milliseconds === undefined
        ? statement.arrays(...values)
        : database.within({ sql: given, milliseconds }, () => statement.iterateArrays(...values)),
    )
  } catch (error) {
    if (isSqlTimeout(error)) throw error
    const reason = reasonOf(error)
    const hint = /picked.object/.test(reason) ? 'it needs a column "object", which says which objects to read' : reason
    throw invalidSql(given, hint, error)
  }
}
