import { type AttributeValue, SyncError } from '@godwit/protocol'
import { encodeCell } from '../database/cell.js'
import type { SqlValue } from '../database/driver.js'
import { column, type TableShape } from '../database/table-shape.js'
import type { Definition } from '../definition/definition.js'
import { bagExpression, isNumeric } from './columns.js'
import type { Condition, Query } from './query.js'
import { readFragment } from './sql-fragment.js'

/** SQL text, the same for every query of one shape, and the values to bind. */
export interface Compiled {
  readonly sql: string
  readonly values: readonly SqlValue[]
}

/** Selects `seq`, `object`, then what holds the attributes: the JSON text of a bag, or the columns in order of declaration. */
export function compileQuery(query: Query, { definition, table }: TableShape): Compiled {
  for (const name of query.select ?? []) known(definition, name)
  const columns = definition.storage === 'bag' ? ['"attributes"'] : [...definition.attributes.keys()].map(column)
  const { sql, values } = where(definition, query.condition)
  const order = [...query.order.map(term => `${known(definition, term.attribute)} ${term.direction}`), '"seq"']
  const limited = query.limit !== undefined || query.offset !== undefined
  return {
    sql: `SELECT ${['"seq"', '"object"', ...columns].join(', ')} FROM ${table}${sql} ORDER BY ${order.join(', ')}${limited ? ' LIMIT ? OFFSET ?' : ''}`,
    values: limited ? [...values, query.limit ?? -1, query.offset ?? 0] : values,
  }
}

/** Counts what the condition matches; limit and offset do not count. */
export function compileCount(query: Query, { definition, table }: TableShape): Compiled {
  const { sql, values } = where(definition, query.condition)
  return { sql: `SELECT count(*) FROM ${table}${sql}`, values }
}

function where(definition: Definition, condition: Condition | undefined): Compiled {
  if (condition === undefined) return { sql: '', values: [] }
  const { sql, values } = compileCondition(definition, condition)
  return { sql: ` WHERE ${sql}`, values }
}

function compileCondition(definition: Definition, condition: Condition): Compiled {
  if (condition.kind === 'compare') return comparison(definition, condition)
  if (condition.kind === 'sql') {
    const { sql, values } = readFragment(condition.sql, condition.values, name => fragmentTerm(definition, name))
    return { sql: `(${sql})`, values: values.map(plain) }
  }
  const parts = condition.parts.map(part => compileCondition(definition, part))
  return {
    sql: `(${parts.map(({ sql }) => sql).join(condition.kind === 'and' ? ' AND ' : ' OR ')})`,
    values: parts.flatMap(({ values }) => values),
  }
}

function comparison(
  definition: Definition,
  { attribute, operator, value, func }: Condition & { kind: 'compare' },
): Compiled {
  const expression = func === undefined ? term(definition, attribute) : `${func}(${term(definition, attribute)})`
  const bind = (one: AttributeValue): SqlValue => (func === undefined ? bound(definition, attribute, one) : plain(one))
  if (Array.isArray(value)) {
    const list = (value as readonly AttributeValue[]).filter(one => one !== null)
    // Neither says anything about what is absent; an empty list matches nothing, or everything that is there.
    if (list.length === 0) return { sql: operator === 'IN' ? '0' : `${expression} IS NOT NULL`, values: [] }
    return { sql: `${expression} ${operator} (${list.map(() => '?').join(', ')})`, values: list.map(bind) }
  }
  if (value === null) return { sql: `${expression} IS ${operator === '<>' ? 'NOT ' : ''}NULL`, values: [] }
  return { sql: `${expression} ${operator} ?`, values: [bind(value)] }
}

/** What an attribute is to conditions. One that a fixed model never declared is nowhere: NULL. */
function term(definition: Definition, attribute: string): string {
  if (definition.storage === 'bag') return bagExpression(definition, attribute)
  if (attribute === 'object') return '"object"'
  return definition.attributes.has(attribute) ? column(attribute) : 'NULL'
}

/** Like `term`, but a fixed model must have it. */
function known(definition: Definition, attribute: string): string {
  if (definition.storage === 'bag' || attribute === 'object' || definition.attributes.has(attribute))
    return term(definition, attribute)
  const names = ['object', ...definition.attributes.keys()].join(', ')
  throw new SyncError(
    'query_invalid',
    `${definition.name} has no attribute ${JSON.stringify(attribute)}; it has ${names}.`,
  )
}

/** In SQL, booleans are the text 'true' and 'false', however they lie. */
function fragmentTerm(definition: Definition, attribute: string): string {
  const expression = known(definition, attribute)
  const isCell = definition.storage === 'fixed' && definition.attributes.get(attribute)?.type === 'Boolean'
  return isCell ? `CASE ${expression} WHEN 1 THEN 'true' WHEN 0 THEN 'false' ELSE ${expression} END` : expression
}

/** A value as it must be bound to meet what lies in the attribute. */
function bound(definition: Definition, attribute: string, value: AttributeValue): SqlValue {
  if (attribute === 'object') return String(value)
  const type = definition.attributes.get(attribute)?.type ?? 'String'
  if (isNumeric(definition, attribute)) return number(value)
  if (definition.storage === 'fixed' && type === 'Boolean') return encodeCell(boolean(value), type)
  return plain(value)
}

/** As text, the way undeclared values compare: `5` is '5', `true` is 'true'. */
function plain(value: AttributeValue): SqlValue {
  if (value === null || typeof value === 'number') return value
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const number = (value: AttributeValue): SqlValue =>
  typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : plain(value)

const boolean = (value: AttributeValue): AttributeValue =>
  value === 'true' || value === 1 || value === '1'
    ? true
    : value === 'false' || value === 0 || value === '0'
      ? false
      : value
