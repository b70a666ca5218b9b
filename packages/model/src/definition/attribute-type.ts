import type { AttributeValue } from '@godwit/protocol'
import type { SqlValue } from '../platform/driver.js'

export type PresentValue = NonNullable<AttributeValue>

/** Constraints of an attribute's values beyond the type. */
export interface ValueLimits {
  /** The values of an Enum. */
  readonly values?: readonly string[]
  /** For Json: converts a value to the one that the app sees; returns undefined for an invalid value. Not stored. */
  readonly check?: ((value: AttributeValue) => AttributeValue | undefined) | undefined
}

/** How values of an attribute are stored in its column. */
export interface Cell {
  /** Returns the column's value, which conditions, order and indexes use; null for a value that does not match the type. */
  encode(value: PresentValue): SqlValue
  /** Returns the value of a column for which `isExact` is true. */
  decode(cell: NonNullable<SqlValue>): AttributeValue
  /** Returns true if `decode` restores the value. `cell` is the encoded value. */
  isExact(value: PresentValue, cell: SqlValue): boolean
}

/** The conditions that the typed API allows: `text` adds order and `like`; `none` allows neither conditions nor order. */
export type Comparability = 'text' | 'ordered' | 'equality' | 'none'

/** The properties and conversions of an attribute type. */
export interface TypeDescriptor {
  /** The APIs that can declare it: `document` is `NewORMModel`, by the type's name; `typed` is `t`, by the name in lower case. Default `typed`. */
  readonly faces: 'document' | 'typed' | 'both'
  readonly comparability: Comparability
  /** The declared type of its column. SQLite converts text that spells a number in a numeric column. Default `TEXT`. */
  readonly affinity: 'INTEGER' | 'REAL' | 'TEXT'
  /** What the column holds for a valid value: the value, a text for it, or its JSON. Default `value`. */
  readonly column: 'value' | 'text' | 'json'
  /**
   * True if any text is valid: `NewORMModel` stores numbers and Booleans as text, and columns of other such types can be read as it. Default false.
   */
  readonly isPlainText: boolean
  /** True if the value refers to a file of the device. Default false. */
  readonly isFile: boolean
  /** Returns the value that a required attribute shows if it has none; undefined if it is then absent. */
  empty(limits: ValueLimits): AttributeValue | undefined
  /** Returns true if a value is stored unchanged. */
  fits(value: AttributeValue, limits: ValueLimits): boolean
  /** Returns true if a value is of the type, even if it is stored in another form. Default: `fits`. */
  accepts(value: AttributeValue, limits: ValueLimits): boolean
  /** Returns the value that a text spells, or the text itself, which is the default. */
  parse(text: string): AttributeValue
  /** Converts a value of another type for a migration if that is lossless, otherwise returns it unchanged. Default: numbers and Booleans to text. */
  migrate(value: AttributeValue): AttributeValue
  /** The column of untyped models, which also holds values of other types, as text. Default: all values as text. */
  readonly untypedCell: Cell
  /** The column of typed models: values are converted if that is lossless, otherwise the column is NULL. Default: values for which `fits` is true. */
  typedCell(limits: ValueLimits): Cell
  /** Returns SQL for the JSON of a column that is not NULL. */
  jsonSql(cell: string): string
  /** Returns SQL for the value that a typed app's SQL sees. Default undefined: the engine's value. */
  readonly appSql: ((expression: string) => string) | undefined
  /** Returns the value displayed in typed rows. Default undefined: the stored value. */
  readonly toApp: ((value: AttributeValue | undefined) => unknown) | undefined
  /** Returns the stored value for an object of a typed app; undefined if it is not of this type. Default: undefined. */
  fromApp(value: object): AttributeValue | undefined
}

/** The members that every type has to define; others have defaults. */
export type TypeFacts = Pick<TypeDescriptor, 'comparability' | 'empty' | 'fits'> & Partial<TypeDescriptor>

/** Compares by identity, which suffices because `encode` has validated the value. */
const isSame = (value: PresentValue, cell: SqlValue): boolean => cell === value

const asValue = (cell: SqlValue): AttributeValue => cell as AttributeValue

/** Returns a column that holds the value, or NULL if `encode` returns null. */
export const valueCell = (encode: Cell['encode']): Cell => ({ encode, decode: asValue, isExact: isSame })

/** Returns any value as text, lists and objects as JSON. */
export const textOf = (value: PresentValue): string =>
  typeof value === 'string' ? value.toWellFormed() : typeof value === 'object' ? JSON.stringify(value) : String(value)

/** Stores any value as text. */
export const ANY_TEXT: Cell = {
  encode: textOf,
  decode: asValue,
  isExact: value => typeof value === 'string' && value.isWellFormed(),
}

/** Stores numbers as numbers and all other values as text. */
export const ANY_NUMBER: Cell = {
  encode: value => (typeof value === 'number' ? value : textOf(value)),
  decode: asValue,
  isExact: value => typeof value === 'number',
}

const DEFAULTS: Omit<TypeDescriptor, 'comparability' | 'empty' | 'fits' | 'accepts' | 'typedCell' | 'jsonSql'> = {
  faces: 'typed',
  affinity: 'TEXT',
  column: 'value',
  isPlainText: false,
  isFile: false,
  parse: text => text,
  migrate: value => (typeof value === 'number' || typeof value === 'boolean' ? String(value) : value),
  untypedCell: ANY_TEXT,
  appSql: undefined,
  toApp: undefined,
  fromApp: () => undefined,
}

/** Completes a descriptor with defaults. */
export const descriptorOf = (facts: TypeFacts): TypeDescriptor => ({
  ...DEFAULTS,
  accepts: facts.fits,
  typedCell: limits => valueCell(value => (facts.fits(value, limits) ? (value as SqlValue) : null)),
  jsonSql: cell => (facts.column === 'json' ? cell : `json_quote(${cell})`),
  ...facts,
})
