import type { AttributeValue } from '@godwit/protocol'
import type { SqlValue } from '../database/driver.js'

export type PresentValue = NonNullable<AttributeValue>

/** Constraints of an attribute's values beyond the type. */
export interface ValueLimits {
  /** The values of an Enum. */
  readonly values?: readonly string[]
  /** Json: converts a value to what the app sees; undefined if it does not fit. Not stored. */
  readonly check?: ((value: AttributeValue) => AttributeValue | undefined) | undefined
}

/** How values of an attribute are stored in its column. */
export interface Cell {
  /** Returns the value for conditions, order and indexes; null if it does not fit its type. */
  encode(value: PresentValue): SqlValue
  /** Returns the value of a column for which `isExact` is true. */
  decode(cell: NonNullable<SqlValue>): AttributeValue
  /** Whether the column alone determines the value. `cell` is the encoded value. */
  isExact(value: PresentValue, cell: SqlValue): boolean
}

/** Conditions that the typed API allows: `text` has order and `like`; `none` has neither conditions nor order. */
export type Comparability = 'text' | 'ordered' | 'equality' | 'none'

/** Everything that depends on an attribute's type. */
export interface TypeDescriptor {
  /** The APIs that can declare it: `NewORMModel` by its name, `t` by its name in lower case. Default `typed`. */
  readonly faces: 'document' | 'typed' | 'both'
  readonly comparability: Comparability
  /** The declared type of its column. SQLite converts text that spells a number in a numeric column. Default `TEXT`. */
  readonly affinity: 'INTEGER' | 'REAL' | 'TEXT'
  /** What the column holds for a fitting value: the value, a text for it, or its JSON. Default `value`. */
  readonly column: 'value' | 'text' | 'json'
  /** Whether it holds any text: `NewORMModel` stores numbers and Booleans as text, and other plain text can be read as it. Default false. */
  readonly isPlainText: boolean
  /** Whether the value refers to a file of the device. Default false. */
  readonly isFile: boolean
  /** What a required attribute shows without a value; undefined: it is absent. */
  empty(limits: ValueLimits): AttributeValue | undefined
  /** Whether a value is stored as it is. */
  fits(value: AttributeValue, limits: ValueLimits): boolean
  /** Whether a value is of the type, possibly stored in another spelling. Default: `fits`. */
  accepts(value: AttributeValue, limits: ValueLimits): boolean
  /** Returns the value that a text spells, or the text itself, which is the default. */
  parse(text: string): AttributeValue
  /** Converts a value of another type for a migration if that is lossless, otherwise returns it unchanged. Default: numbers and Booleans to text. */
  migrate(value: AttributeValue): AttributeValue
  /** For untyped models: how a value that does not fit is stored, as text. Default: everything as text. */
  readonly untypedCell: Cell
  /** For typed models: values are converted if that is lossless, otherwise the column is NULL. Default: values that `fit`. */
  typedCell(limits: ValueLimits): Cell
  /** SQL: the JSON of a column that is not NULL. */
  jsonSql(cell: string): string
  /** SQL: the value that SQL of a typed app sees. Default undefined: the same as in the engine. */
  readonly appSql: ((expression: string) => string) | undefined
  /** Returns the value shown in typed rows. Default undefined: the stored value. */
  readonly toApp: ((value: AttributeValue | undefined) => unknown) | undefined
  /** Returns the stored value of an object given by a typed app; undefined, the default, if it is not of this type. */
  fromApp(value: object): AttributeValue | undefined
}

/** The members that every type has to define; others have defaults. */
export type TypeFacts = Pick<TypeDescriptor, 'comparability' | 'empty' | 'fits'> & Partial<TypeDescriptor>

/** Compares by identity, because `encode` has already checked the value. */
const isSame = (value: PresentValue, cell: SqlValue): boolean => cell === value

const asValue = (cell: SqlValue): AttributeValue => cell as AttributeValue

/** The column holds the value, or NULL if `encode` returns null. */
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

/** Stores numbers as such and anything else as text. */
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

/** Adds the defaults to a descriptor. */
export const descriptorOf = (facts: TypeFacts): TypeDescriptor => ({
  ...DEFAULTS,
  accepts: facts.fits,
  typedCell: limits => valueCell(value => (facts.fits(value, limits) ? (value as SqlValue) : null)),
  jsonSql: cell => (facts.column === 'json' ? cell : `json_quote(${cell})`),
  ...facts,
})
