import type { Attributes, ObjectId } from '@godwit/protocol'
import { picked } from '../database/attributes.js'
import { compileCount, compileQuery } from '../query/compile.js'
import type { Query } from '../query/query.js'
import { blamingSql } from '../query/sql-errors.js'
import { asked } from './asked.js'
import type { Engine } from './engine.js'
import type { Row } from './records.js'
import { rowOf } from './row.js'

/** Rows that a query matches, in its order. */
export function read(engine: Engine, query: Query): readonly Row[] {
  const { database, models, model } = engine
  const { sql, values } = compileQuery(asked(models, model, query), model.shape)
  const { codec } = model.rows
  const wanted = query.select && new Set(query.select)
  const attributesOf = (row: Parameters<typeof codec.decode>[0]): Attributes => {
    const attributes = codec.decode(row, 1)
    return wanted ? picked(attributes, wanted) : attributes
  }
  const rows = blamingSql(query, () => database.prepare(sql).arrays(...values))
  return rows.map(row => rowOf(engine, row[0] as ObjectId, attributesOf(row)))
}

export function count({ database, models, model }: Engine, query: Query): number {
  const { sql, values } = compileCount(asked(models, model, query), model.shape)
  return blamingSql(query, () => database.prepare(sql).arrays(...values))[0]?.[0] as number
}

export function get(engine: Engine, given: ObjectId): Row | undefined {
  const found = engine.locate(given)
  return found && rowOf(engine, found.object, found.row.attributes)
}
