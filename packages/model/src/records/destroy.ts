import type { ObjectId } from '@godwit/protocol'
import { addDelete } from '../outbox/add.js'
import { addDeletes, deletableTogetherSql } from '../outbox/add-many.js'
import { compileQuery } from '../query/compile.js'
import type { Query } from '../query/query-tree.js'
import { withFollowedLinks } from './follow-query-links.js'
import { queryRows } from './query-rows.js'
import { shapeIn } from './read-rows.js'
import type { RecordEngine } from './record-engine.js'

/** Removes an object, inside the caller's transaction. Returns false if there is no such object. */
export function destroy({ models, model, locate }: RecordEngine, given: ObjectId): boolean {
  if (!model.synced) return model.rows.remove(given)
  const found = locate(given)
  if (!found) return false
  model.rows.remove(found.object)
  addDelete({ models, model, object: found.object }, found.row)
  return true
}

/**
 * Removes all matches, inside the caller's transaction, and returns their number. Equivalent to `destroy` for each, but most rows are removed
 * together by a few statements.
 */
export function destroyAll(engine: RecordEngine, query: Query): number {
  const { database, model } = engine
  const { seqs, count, apart } = findRows(engine, query)
  if (model.synced && count > 0) addDeletes(database, model, { seqs, count })
  model.rows.removeAll(seqs)
  for (const object of apart) destroy(engine, object)
  return count + apart.length
}

interface FoundRows {
  /** A JSON list of the rows to remove together. */
  readonly seqs: string
  readonly count: number
  readonly apart: readonly ObjectId[]
}

/** Returns the matching rows. The query runs only once, because a condition on the current time could match other rows the second time. */
function findRows({ database, models, model }: RecordEngine, query: Query): FoundRows {
  const { table } = model.shape
  const together = model.synced ? deletableTogetherSql(models, model) : 'TRUE'
  const shape = { ...model.shape, table: `${table} AS "row"` }
  const columns = ['"seq"', '"object"', `${together} AS together`]
  const { sql, values } = compileQuery(withFollowedLinks(models, model, query), shape, columns, shapeIn({ models }))
  const lists = `json_group_array("seq") FILTER (WHERE together), count(*) FILTER (WHERE together), json_group_array("object") FILTER (WHERE NOT together)`
  const rows = queryRows(database, query, { sql: `SELECT ${lists} FROM (${sql})`, values })
  const [seqs, count, apart] = rows[0] as [string, number, string]
  return { seqs, count, apart: JSON.parse(apart) as readonly ObjectId[] }
}
