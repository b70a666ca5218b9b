import type { AttributeValue } from '@godwit/protocol'
import type { AttributeDefinition, AttributeType } from '../definition/definition.js'
import type { SqlValue } from './driver.js'

/** What the column of an attribute is declared as. SQLite itself makes numbers of texts that spell one, where numbers are declared. */
export function affinityOf(type: AttributeType): 'INTEGER' | 'REAL' | 'TEXT' {
  if (type === 'Integer') return 'INTEGER'
  return type === 'Float' ? 'REAL' : 'TEXT'
}

/** How the values of one attribute lie in its column. */
export interface Cell {
  /** What conditions, order and indexes see of a value; null: it does not fit its type. */
  encode(value: NonNullable<AttributeValue>): SqlValue
  /** The value of a column, where `isExact`. */
  decode(cell: NonNullable<SqlValue>): AttributeValue
  /** Whether the column alone says what the value is. `cell`: the value, encoded. */
  isExact(value: NonNullable<AttributeValue>, cell: SqlValue): boolean
}

/** Of an untyped attribute: a declared number as such, anything else as its text. */
export const cellOf = ({ type }: Pick<AttributeDefinition, 'type'>): Cell => ({
  encode: value => encodeCell(value, type),
  decode: cell => decodeCell(cell, type),
  isExact: value => isExact(value, type),
})

export function encodeCell(value: NonNullable<AttributeValue>, type: AttributeType): SqlValue {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value === 'number' && affinityOf(type) !== 'TEXT') return value
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export const decodeCell = (cell: NonNullable<SqlValue>, type: AttributeType): AttributeValue =>
  type === 'Boolean' ? cell === 'true' : (cell as AttributeValue)

export function isExact(value: NonNullable<AttributeValue>, type: AttributeType): boolean {
  if (type === 'Boolean') return typeof value === 'boolean'
  if (affinityOf(type) === 'TEXT') return typeof value === 'string' && value.isWellFormed()
  return typeof value === 'number'
}

/** Whether a number holds what a text of digits spells: an id of thirty would become another one. With a fraction or an exponent it may be rounded. */
export function keepsDigits(text: string): boolean {
  const digits = /^\s*[+-]?(\d+)\s*$/.exec(text)?.[1]
  if (digits === undefined) return true
  const number = Number(digits)
  return Number.isFinite(number) && BigInt(digits) === BigInt(number)
}
