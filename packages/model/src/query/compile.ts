import { mayBeNamed, valueExpression } from '../columns/column-sql.js'
import { displayedCodec } from '../columns/displayed-codec.js'
import { attributeColumns, type TableShape } from '../columns/table-shape.js'
import type { Definition } from '../definition/definition.js'
import { compileCondition } from './compile-condition.js'
import type { CompiledQuery } from './compiled-query.js'
import { compileJoins, NO_JOINS, type ShapeOf, scopeOf, type TableScope } from './joins.js'
import type { OrderTerm, Query } from './query-tree.js'
import { bestFirst, searchCondition } from './search-text.js'
import { unknownAttribute } from './unknown-attribute.js'

/** Compiles a query to SQL that selects `object` and the columns of attributes, unless other columns are given. */
export function compileQuery(
  query: Query,
  { definition, table }: TableShape,
  columns: readonly string[] = columnsOf(definition, query.select),
  shapeOf: ShapeOf = NO_SHAPES,
): CompiledQuery {
  for (const name of query.select ?? []) requireAttribute(definition, name)
  const best = bestFirst(definition, query)
  // The join that ranks already selects the matching rows.
  const { search: _, ...rest } = query
  const remaining = best.values.length > 0 ? rest : query
  const { sql, values } = where(definition, remaining, scopeOf(nameOf(table), shapeOf))
  const joins = query.with ? compileJoins(query.with, { definition, table: nameOf(table) }, shapeOf) : NO_JOINS
  const order = [...query.order.map(term => orderTerm(definition, term)), ...best.order, '"seq"'].join(', ')
  const isLimited = query.limit !== undefined || query.offset !== undefined
  return {
    sql: `SELECT ${[...columns, ...joins.columns].join(', ')} FROM ${table}${best.from}${joins.from}${sql} ORDER BY ${order}${isLimited ? ' LIMIT ? OFFSET ?' : ''}`,
    values: [...best.values, ...values, ...(isLimited ? [query.limit ?? -1, query.offset ?? 0] : [])],
  }
}

/** Counts the rows that match the condition, ignoring limit and offset. */
export function compileCount(
  query: Query,
  { definition, table }: TableShape,
  shapeOf: ShapeOf = NO_SHAPES,
): CompiledQuery {
  const { sql, values } = where(definition, query, scopeOf(nameOf(table), shapeOf))
  return { sql: `SELECT count(*) FROM ${table}${sql}`, values }
}

/** Returns the columns that a read of a model selects, in order. `select` limits those of a typed model. */
export const columnsOf = (definition: Definition, select?: readonly string[]): readonly string[] => [
  '"object"',
  ...(definition.typed ? displayedCodec(definition, select).columns : attributeColumns(definition)),
]

const NO_SHAPES: ShapeOf = () => undefined

/** Returns the name of a table within the statement: its alias if it has one. */
const nameOf = (table: string): string => / AS (".*")$/.exec(table)?.[1] ?? table

function where(definition: Definition, { condition, search }: Query, scope: TableScope): CompiledQuery {
  const parts = [
    ...(search === undefined ? [] : [searchCondition(definition, search)]),
    ...(condition === undefined ? [] : [compileCondition(definition, condition, scope)]),
  ]
  if (parts.length === 0) return { sql: '', values: [] }
  return {
    sql: ` WHERE ${parts.map(({ sql }) => sql).join(' AND ')}`,
    values: parts.flatMap(({ values }) => values),
  }
}

const orderTerm = (definition: Definition, { attribute, direction }: OrderTerm): string =>
  `${valueExpression(definition, requireAttribute(definition, attribute))} ${direction}`

function requireAttribute(definition: Definition, attribute: string): string {
  if (mayBeNamed(definition, attribute)) return attribute
  throw unknownAttribute(definition, attribute)
}
