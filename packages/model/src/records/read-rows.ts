import type { Attributes, ObjectId } from '@godwit/protocol'
import { displayedCodec } from '../columns/displayed-codec.js'
import { pickAttributes } from '../definition/attribute-values.js'
import type { SqlValue } from '../platform/driver.js'
import { compileCount, compileQuery } from '../query/compile.js'
import type { ShapeOf } from '../query/joins.js'
import type { Query } from '../query/query-tree.js'
import { withFollowedLinks } from './follow-query-links.js'
import { joinedRows } from './joined-rows.js'
import { queryRows } from './query-rows.js'
import type { RecordEngine } from './record-engine.js'
import type { RecordRow } from './records.js'
import { displayedRow, rowOf } from './row.js'

/** Returns the rows that match a query, in its order. */
export function read(engine: RecordEngine, query: Query): readonly RecordRow[] {
  const { database, models, model } = engine
  prepareSearch(engine, query)
  const compiled = compileQuery(withFollowedLinks(models, model, query), model.shape, undefined, shapeIn(engine))
  const rows = queryRows(database, query, compiled)
  if (model.definition.typed) return query.with ? joinedRows(engine, query, rows) : displayedRows(engine, query, rows)
  const { codec } = model.rows
  const wanted = query.select && new Set(query.select)
  const attributesOf = (row: Parameters<typeof codec.decode>[0]): Attributes => {
    const attributes = codec.decode(row, 1)
    return wanted ? pickAttributes(attributes, wanted) : attributes
  }
  return rows.map(row => rowOf(engine, row[0] as ObjectId, attributesOf(row)))
}

function displayedRows(
  engine: RecordEngine,
  { select }: Query,
  rows: readonly (readonly SqlValue[])[],
): readonly RecordRow[] {
  const codec = displayedCodec(engine.model.definition, select)
  return rows.map(row => displayedRow(engine, row[0] as ObjectId, codec.decode(row, 1)))
}

/** Returns the lookup of tables by the name of their model. */
export const shapeIn =
  ({ models }: Pick<RecordEngine, 'models'>): ShapeOf =>
  name =>
    models.get(name)?.shape

/** Returns the number of rows that match a query. */
export function count(engine: RecordEngine, query: Query): number {
  prepareSearch(engine, query)
  const { database, models, model } = engine
  const compiled = compileCount(withFollowedLinks(models, model, query), model.shape, shapeIn(engine))
  return queryRows(database, query, compiled)[0]?.[0] as number
}

/** Returns the row with a real or temporary id; undefined if there is none. */
export function get(engine: RecordEngine, given: ObjectId): RecordRow | undefined {
  const displayed = engine.model.rows.displayedAttributes(given)
  if (displayed) return displayedRow(engine, given, displayed)
  const found = engine.locate(given)
  return found && rowOf(engine, found.object, found.row.attributes)
}

/** Updates the full-text index before a search. */
function prepareSearch({ model }: RecordEngine, { search }: Query): void {
  if (search !== undefined) model.text?.fill()
}
