import type { Attributes, AttributeValue } from '@godwit/protocol'
import type { AttributeType } from '../definition/attribute-types.js'
import type { Comparison, Condition, Func, Query } from './query-tree.js'

export interface OracleRow {
  readonly object: string
  readonly attributes: Attributes
}

export type Types = { readonly [attribute: string]: AttributeType }

/** A value as SQLite compares it: numbers sort before text, and a missing value is null. */
type Value = number | string | null

/** Returns the result of a query, computed row by row without SQL. */
export function answer(rows: readonly OracleRow[], types: Types, query: Query): readonly OracleRow[] {
  const { condition, order, limit = Number.POSITIVE_INFINITY, offset = 0 } = query
  const matching = rows.filter(row => condition === undefined || holds(row, types, condition) === true)
  const sorted = matching.toSorted((one, other) => {
    for (const { attribute, direction } of order) {
      const sign = ordered(comparable(one, types, attribute), comparable(other, types, attribute))
      if (sign !== 0) return direction === 'ASC' ? sign : -sign
    }
    return 0
  })
  return sorted.slice(offset, offset + limit)
}

/** Evaluates a condition on a row; null means unknown, as in SQL. */
function holds(row: OracleRow, types: Types, condition: Condition): boolean | null {
  if (condition.kind === 'compare') return compares(row, types, condition)
  if (condition.kind !== 'and' && condition.kind !== 'or') throw new Error(`The oracle reads no ${condition.kind}.`)
  const parts = condition.parts.map(part => holds(row, types, part))
  const decisive = condition.kind === 'or'
  if (parts.includes(decisive)) return decisive
  return parts.includes(null) ? null : !decisive
}

function compares(row: OracleRow, types: Types, { attribute, operator, value, func }: Comparison): boolean | null {
  const isText = operator === 'LIKE' || (func !== undefined && func !== 'ABS')
  const raw = isText ? textOf(rawOf(row, attribute)) : comparable(row, types, attribute)
  const left = func === undefined || raw === null ? raw : applied(func, raw)
  const isNumber = func === undefined ? numeric(types, attribute) : func === 'LENGTH' || func === 'ABS'
  const right = (one: AttributeValue): Value => (isNumber ? numberOf(one) : textOf(one))
  if (Array.isArray(value)) return within(left, value.map(right), operator === 'IN')
  if (value === null) return operator === '=' ? left === null : left !== null
  if (left === null) return null
  if (operator === 'LIKE') return like(String(left), textOf(value) ?? '')
  return OPERATIONS[operator]?.(ordered(left, right(value))) ?? null
}

function within(left: Value, list: readonly Value[], isIn: boolean): boolean {
  if (isIn) return list.includes(left)
  return left !== null && !list.includes(left)
}

const OPERATIONS: { readonly [operator: string]: (sign: number) => boolean } = {
  '=': sign => sign === 0,
  '<>': sign => sign !== 0,
  '<': sign => sign < 0,
  '>': sign => sign > 0,
  '<=': sign => sign <= 0,
  '>=': sign => sign >= 0,
}

function applied(func: Func, value: number | string): Value {
  const text = String(value)
  if (func === 'LOWER') return text.replace(/[A-Z]/g, letter => letter.toLowerCase())
  if (func === 'UPPER') return text.replace(/[a-z]/g, letter => letter.toUpperCase())
  if (func === 'LENGTH') return [...text].length
  if (func === 'TRIM') return text.replace(/^ +| +$/g, '')
  return Math.abs(typeof value === 'number' ? value : Number.parseFloat(value) || 0)
}

function like(text: string, pattern: string): boolean {
  const source = [...pattern].map(one =>
    one === '%' ? '.*' : one === '_' ? '.' : one.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
  )
  const lower = (given: string) => given.replace(/[A-Z]/g, letter => letter.toLowerCase())
  return new RegExp(`^${lower(source.join(''))}$`, 'su').test(lower(text))
}

const numeric = (types: Types, attribute: string): boolean =>
  types[attribute] === 'Integer' || types[attribute] === 'Float'

const rawOf = ({ object, attributes }: OracleRow, attribute: string): AttributeValue =>
  attribute === 'object' ? object : Object.hasOwn(attributes, attribute) ? (attributes[attribute] ?? null) : null

function comparable(row: OracleRow, types: Types, attribute: string): Value {
  const raw = rawOf(row, attribute)
  return numeric(types, attribute) ? numberOf(raw) : textOf(raw)
}

const textOf = (value: AttributeValue): string | null =>
  value === null ? null : typeof value === 'object' ? JSON.stringify(value) : String(value)

const numberOf = (value: AttributeValue): Value => {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value.trim())
    ? Number(value)
    : textOf(value)
}

/** Compares values: missing ones first, then numbers, then text by its bytes. */
function ordered(one: Value, other: Value): number {
  const [a, b] = [rank(one), rank(other)]
  if (a !== b) return a - b
  if (typeof one === 'string' && typeof other === 'string') return Buffer.compare(Buffer.from(one), Buffer.from(other))
  return Number(one) - Number(other)
}

const rank = (value: Value): number => (value === null ? 0 : typeof value === 'number' ? 1 : 2)
