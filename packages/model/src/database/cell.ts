import type { AttributeValue } from '@godwit/protocol'
import type { AttributeType } from '../definition/definition.js'
import type { SqlValue } from './driver.js'

const utf8 = new TextEncoder()
const text = new TextDecoder()

/** The affinity that a fixed column is declared with, so that SQL sees whole numbers as such. Text has none: nothing is converted. */
export function affinityOf(type: AttributeType): 'INTEGER' | 'REAL' | '' {
  if (type === 'Integer' || type === 'Boolean') return 'INTEGER'
  return type === 'Float' ? 'REAL' : ''
}

/**
 * A value as it lies in a fixed column. Exact: `decodeCell` gives back what went in, also what does not fit the type.
 * What SQLite would convert, or could not tell apart, is a BLOB of JSON. Absent is NULL.
 */
export function encodeCell(value: AttributeValue | undefined, type: AttributeType): SqlValue {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return affinityOf(type) === '' && value.isWellFormed() ? value : json(value)
  if (typeof value === 'number') return type === 'Boolean' ? json(value) : value
  if (typeof value === 'boolean' && type === 'Boolean') return value ? 1 : 0
  return json(value)
}

/** What `encodeCell` put there; undefined where the attribute is absent. */
export function decodeCell(cell: SqlValue | undefined, type: AttributeType): AttributeValue | undefined {
  if (cell === null || cell === undefined) return undefined
  if (typeof cell === 'object') return JSON.parse(text.decode(cell)) as AttributeValue
  return type === 'Boolean' ? cell === 1 : cell
}

// JSON escapes lone surrogates, which UTF-8 cannot hold.
const json = (value: AttributeValue): Uint8Array => utf8.encode(JSON.stringify(value))
