import { SyncError } from '@godwit/protocol'
import { fittingCell, isStored, literal } from '../columns/column-sql.js'
import { displayedCodec } from '../columns/displayed-codec.js'
import { column, quote, type TableShape } from '../columns/table-shape.js'
import type { Join } from './query-tree.js'

/** Looks up the table of another model. */
export type ShapeOf = (model: string) => TableShape | undefined

/** The tables that a condition can refer to. */
export interface TableScope {
  /** The name of the table in the statement. */
  readonly table: string
  /** Returns the table of another model with an alias unique in the statement. */
  readonly related: (model: string) => { readonly shape: TableShape; readonly alias: string }
}

/** The scope of a whole statement. */
export function scopeOf(table: string, shapeOf: ShapeOf): TableScope {
  let count = 0
  return { table, related: model => ({ shape: requireShape(shapeOf, model), alias: `related_${++count}` }) }
}

/** Returns the table of a model. Throws `model_unknown` if this device does not have it. */
export function requireShape(shapeOf: ShapeOf, model: string): TableShape {
  const shape = shapeOf(model)
  if (shape) return shape
  throw new SyncError(
    'model_unknown',
    `expected a model ${JSON.stringify(model)} on this device, got none. Open it too.`,
  )
}

/** Returns the SQL of the id under which `get` finds an object: the given id, or the first linked id that has a row. */
export function linkedId(id: string, { table, definition }: TableShape): string {
  if (definition.syncType === 'none') return id
  const link = `${quote(definition.partition)}.link`
  const isLinkOf = (alias: string, temporary: string) =>
    `${alias}.model = ${literal(definition.name)} AND ${alias}.temporary = ${temporary}`
  const row = (object: string) => `SELECT own."object" FROM ${table} AS own WHERE own."object" = ${object}`
  const next = `SELECT later."real" FROM followed JOIN ${link} AS later ON ${isLinkOf('later', 'followed.id')}`
  const steps = `SELECT first."real" UNION ${next} WHERE NOT EXISTS (${row('followed.id')})`
  const found = `SELECT id FROM followed WHERE EXISTS (${row('followed.id')}) LIMIT 1`
  const real = `SELECT (WITH RECURSIVE followed(id) AS (${steps}) ${found}) FROM ${link} AS first`
  return `coalesce((${row(id)}), (${real} WHERE ${isLinkOf('first', id)}))`
}

/** The joined tables of a statement: the text after FROM, and the columns selected. */
export interface JoinedTables {
  readonly from: string
  readonly columns: readonly string[]
}

export const NO_JOINS: JoinedTables = { from: '', columns: [] }

/** Compiles joins. Joined columns get unique names, so that a name of the first table's columns keeps its meaning. */
export function compileJoins(
  joins: readonly Join[],
  { definition, table }: TableShape,
  shapeOf: ShapeOf,
): JoinedTables {
  let count = 0
  function all(some: readonly Join[], nameOf: (attribute: string) => string): readonly JoinedTables[] {
    return some.flatMap(join => joinTables(join, nameOf))
  }
  function joinTables(join: Join, nameOf: (attribute: string) => string): readonly JoinedTables[] {
    const [alias, shape] = [`joined_${++count}`, requireShape(shapeOf, join.model)]
    const own = (name: string) => quote(`${alias}_${name}`)
    const displayed = displayedCodec(shape.definition, join.select).columns
    const ids = join.with.map(({ attribute }) => attribute).filter(name => isStored(shape.definition, name))
    const needed = new Set([...displayed, ...ids.map(column)])
    const named = ['"object"', ...needed].map(name => `${name} AS ${own(unquote(name))}`)
    const id = nameOf(join.attribute)
    const from = ` LEFT JOIN (SELECT ${named.join(', ')} FROM ${shape.table}) AS ${alias} ON ${own('object')} = ${linkedId(id, shape)}`
    const columns = [id, own('object'), ...displayed.map(name => own(unquote(name)))]
    const nameIn = (name: string) => (ids.includes(name) ? own(unquote(column(name))) : 'NULL')
    return [{ from, columns }, ...all(join.with, nameIn)]
  }
  // Qualified, because a joined table may have a column of the same name.
  const tables = all(joins, name => fittingCell(definition, name, `${table}.`))
  return { from: tables.map(({ from }) => from).join(''), columns: tables.flatMap(({ columns }) => columns) }
}

const unquote = (name: string): string => name.slice(1, -1).replaceAll('""', '"')
