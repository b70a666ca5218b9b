import { attributeColumns, type TableShape } from '../database/table-shape.js'
import type { Definition } from '../definition/definition.js'
import { isKnown, valueExpression } from './columns.js'
import { compileCondition } from './compile-condition.js'
import type { Compiled } from './compiled.js'
import type { Condition, OrderTerm, Query } from './query.js'
import { unknownAttribute } from './unknown-attribute.js'

/** Selects `object`, then what holds the attributes, unless other columns are given. */
export function compileQuery(
  query: Query,
  { definition, table }: TableShape,
  columns: readonly string[] = columnsOf(definition),
): Compiled {
  for (const name of query.select ?? []) known(definition, name)
  const { sql, values } = where(definition, query.condition)
  const order = [...query.order.map(term => orderTerm(definition, term)), '"seq"'].join(', ')
  const isLimited = query.limit !== undefined || query.offset !== undefined
  return {
    sql: `SELECT ${columns.join(', ')} FROM ${table}${sql} ORDER BY ${order}${isLimited ? ' LIMIT ? OFFSET ?' : ''}`,
    values: isLimited ? [...values, query.limit ?? -1, query.offset ?? 0] : values,
  }
}

/** Counts what the condition matches; limit and offset do not count. */
export function compileCount(query: Query, { definition, table }: TableShape): Compiled {
  const { sql, values } = where(definition, query.condition)
  return { sql: `SELECT count(*) FROM ${table}${sql}`, values }
}

/** The columns that every read of a model selects, in this order. */
export const columnsOf = (definition: Definition): readonly string[] => ['"object"', ...attributeColumns(definition)]

function where(definition: Definition, condition: Condition | undefined): Compiled {
  if (condition === undefined) return { sql: '', values: [] }
  const { sql, values } = compileCondition(definition, condition)
  return { sql: ` WHERE ${sql}`, values }
}

const orderTerm = (definition: Definition, { attribute, direction }: OrderTerm): string =>
  `${valueExpression(definition, known(definition, attribute))} ${direction}`

function known(definition: Definition, attribute: string): string {
  if (isKnown(definition, attribute)) return attribute
  throw unknownAttribute(definition, attribute)
}
