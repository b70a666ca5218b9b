import type { AttributeValue } from '@godwit/protocol'
import { isHash } from '../blobs/blob-name.js'
import type { AttributeDefinition, AttributeType } from '../definition/definition.js'
import { spellsNumber } from '../query/operand.js'
import { type Cell, keepsDigits } from './cell.js'
import type { SqlValue } from './driver.js'
import { utcText } from './timestamp.js'

type Value = NonNullable<AttributeValue>

/** Of a typed attribute: what fits without loss is brought to the type, and the column of what does not is NULL. */
export function typedCellOf(attribute: AttributeDefinition): Cell {
  const { type, values = [], check } = attribute
  if (type === 'Enum') {
    const isOne = (value: Value) => typeof value === 'string' && values.includes(value)
    return { encode: value => (isOne(value) ? (value as string) : null), decode: asValue, isExact: isSame }
  }
  if (type !== 'Json') return CELLS[type]
  const fits = (value: Value) => check === undefined || check(value) !== undefined
  return {
    encode: value => (fits(value) ? JSON.stringify(value) : null),
    decode: cell => JSON.parse(String(cell)) as AttributeValue,
    isExact: (_, cell) => cell !== null,
  }
}

/** Looks at a value once: `encode` has seen whether it fits. */
const isSame = (value: Value, cell: SqlValue): boolean => cell === value

const asValue = (cell: SqlValue): AttributeValue => cell as AttributeValue

const TEXTS: Cell = {
  encode: value =>
    typeof value === 'string' ? value.toWellFormed() : typeof value === 'object' ? null : String(value),
  decode: asValue,
  isExact: isSame,
}

const NUMBERS: Cell = {
  encode: value => numberOf(value),
  decode: asValue,
  isExact: isSame,
}

const CELLS: { readonly [Type in Exclude<AttributeType, 'Enum' | 'Json'>]: Cell } = {
  String: TEXTS,
  Varchar: TEXTS,
  Blob: { encode: value => (isHash(value) ? value : null), decode: asValue, isExact: isSame },
  Float: NUMBERS,
  Integer: {
    ...NUMBERS,
    encode(value) {
      const number = numberOf(value)
      return Number.isInteger(number) ? number : null
    },
  },
  Boolean: {
    encode: value =>
      value === true || value === 'true' || value === 1
        ? 'true'
        : value === false || value === 'false' || value === 0
          ? 'false'
          : null,
    decode: cell => cell === 'true',
    isExact: value => typeof value === 'boolean',
  },
  Timestamp: {
    encode: value => (typeof value === 'string' ? (utcText(value) ?? null) : null),
    decode: asValue,
    isExact: isSame,
  },
}

function numberOf(value: Value): number | null {
  const isSpelled = typeof value === 'string' && spellsNumber(value) && keepsDigits(value)
  const number = isSpelled ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}
