import type { AttributeValue } from '@godwit/protocol'
import type { AttributeType } from '../definition/definition.js'
import type { SqlValue } from './driver.js'

/** What the column of an attribute is declared as. SQLite itself makes numbers of texts that spell one, where numbers are declared. */
export function affinityOf(type: AttributeType): 'INTEGER' | 'REAL' | 'TEXT' {
  if (type === 'Integer') return 'INTEGER'
  return type === 'Float' ? 'REAL' : 'TEXT'
}

/** A value as conditions, order and indexes see it, in the column of its attribute: a declared number, anything else its text. */
export function encodeCell(value: NonNullable<AttributeValue>, type: AttributeType): SqlValue {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value === 'number' && affinityOf(type) !== 'TEXT') return value
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The value of a column, where `isExact`. */
export const decodeCell = (cell: NonNullable<SqlValue>, type: AttributeType): AttributeValue =>
  type === 'Boolean' ? cell === 'true' : (cell as AttributeValue)

/** Whether the column alone says what the value is: it is of the declared type. */
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
