import type { AttributeValue } from '@godwit/protocol'
import type { Column } from '../table.js'
import { jsonValue } from './json-value.js'
import { arrayLiteral, parseArray } from './postgresql-array.js'

const NUMBERS = new Set(['int2', 'int4', 'oid', 'float4', 'float8'])

/** Converts the text of a value. Nothing is rounded, and no time zone is invented: what JSON cannot hold stays text. */
export function postgresqlJson({ type, isArray }: Pick<Column, 'type' | 'isArray'>, text: string): AttributeValue {
  if (isArray) return parseArray(text, element => scalar(type, element))
  return scalar(type, text)
}

function scalar(type: string, text: string): AttributeValue {
  if (NUMBERS.has(type)) return /^-?(NaN|Infinity)$/.test(text) ? text : Number(text)
  switch (type) {
    case 'bool':
      return text.startsWith('t')
    case 'timestamptz':
      return text.replace(/^(\d{4,}-\d\d-\d\d) (.+)\+00$/, '$1T$2Z')
    case 'bytea':
      return Buffer.from(text.slice(2), 'hex').toString('base64')
    case 'json':
    case 'jsonb':
      return jsonValue(text)
    default:
      return text
  }
}

/** Converts an attribute to the text from which PostgreSQL reads a value of the column. */
export function postgresqlText(
  { type, isArray }: Pick<Column, 'type' | 'isArray'>,
  value: AttributeValue,
): string | null {
  if (value === null) return null
  if (isArray && Array.isArray(value))
    return arrayLiteral(value, element => postgresqlText({ type, isArray: false }, element))
  if (type === 'json' || type === 'jsonb') return JSON.stringify(value)
  if (type === 'bytea' && typeof value === 'string') return `\\x${Buffer.from(value, 'base64').toString('hex')}`
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
