import type { AttributeValue } from '@godwit/protocol'
import type { SqlValue } from '../database/driver.js'

export type PresentValue = NonNullable<AttributeValue>

/** What an attribute says of its values beside the type. */
export interface ValueLimits {
  /** The values of an Enum. */
  readonly values?: readonly string[]
  /** Json: the value as the app sees it, or undefined where it does not fit. Not kept. */
  readonly check?: ((value: AttributeValue) => AttributeValue | undefined) | undefined
}

/** How the values of one attribute lie in its column. */
export interface Cell {
  /** What conditions, order and indexes see of a value; null: it does not fit its type. */
  encode(value: PresentValue): SqlValue
  /** The value of a column, where `isExact`. */
  decode(cell: NonNullable<SqlValue>): AttributeValue
  /** Whether the column alone says what the value is. `cell`: the value, encoded. */
  isExact(value: PresentValue, cell: SqlValue): boolean
}

/** What conditions of the typed face may ask: `text` is ordered and takes `like`; `none` takes no condition and no order. */
export type Comparability = 'text' | 'ordered' | 'equality' | 'none'

/** All that the engine and both faces know of one attribute type. */
export interface TypeDescriptor {
  /** Which of them can declare it: `NewORMModel` by its name, `t` by its name in lower case. Default `typed`. */
  readonly faces: 'document' | 'typed' | 'both'
  readonly comparability: Comparability
  /** The declared type of its column. SQLite makes numbers of texts that spell one, where numbers are declared. Default `TEXT`. */
  readonly affinity: 'INTEGER' | 'REAL' | 'TEXT'
  /** What the column of a fitting value holds: the value, another text of it, or its JSON. Default `value`. */
  readonly column: 'value' | 'text' | 'json'
  /** Holds any text: the document's face writes numbers and Booleans as text, and other plain text can be read as it. Default false. */
  readonly isPlainText: boolean
  /** The value names a file of the device. Default false. */
  readonly isFile: boolean
  /** What a required attribute shows where it has no value; undefined: it is absent. */
  empty(limits: ValueLimits): AttributeValue | undefined
  /** Whether a value is stored as it is. */
  fits(value: AttributeValue, limits: ValueLimits): boolean
  /** Whether a value is of the type, also where it is stored in another spelling. Default: `fits`. */
  accepts(value: AttributeValue, limits: ValueLimits): boolean
  /** The value that a text of the app spells; the text where it spells none, which is the default. */
  parse(text: string): AttributeValue
  /** The value that a migration makes of one of another type without loss, else the same value. Default: numbers and Booleans as text. */
  migrate(value: AttributeValue): AttributeValue
  /** Of untyped models: what does not fit is kept by its text. Default: everything as text. */
  readonly untypedCell: Cell
  /** Of typed models: what fits without loss is brought to the type, and the column of what does not is NULL. Default: what `fits`. */
  typedCell(limits: ValueLimits): Cell
  /** SQL: the JSON of a column that is not NULL. */
  jsonSql(cell: string): string
  /** SQL: the value as the typed face shows it to SQL of the app; undefined, the default, where the engine's SQL has the same. */
  readonly appSql: ((expression: string) => string) | undefined
  /** What rows of the typed face show; undefined, the default: the stored value. */
  readonly toApp: ((value: AttributeValue | undefined) => unknown) | undefined
  /** The stored value of an object of the typed face; undefined, the default, for what is none of this type. */
  fromApp(value: object): AttributeValue | undefined
}

/** The facts that a type has to give; all others have defaults. */
export type TypeFacts = Pick<TypeDescriptor, 'comparability' | 'empty' | 'fits'> & Partial<TypeDescriptor>

/** Looks at a value once: `encode` has seen whether it fits. */
const isSame = (value: PresentValue, cell: SqlValue): boolean => cell === value

const asValue = (cell: SqlValue): AttributeValue => cell as AttributeValue

/** The column holds the value itself, or NULL where `encode` has none. */
export const valueCell = (encode: Cell['encode']): Cell => ({ encode, decode: asValue, isExact: isSame })

/** The text of any value: lists and objects as JSON. */
export const textOf = (value: PresentValue): string =>
  typeof value === 'string' ? value.toWellFormed() : typeof value === 'object' ? JSON.stringify(value) : String(value)

/** Any value by its text. */
export const ANY_TEXT: Cell = {
  encode: textOf,
  decode: asValue,
  isExact: value => typeof value === 'string' && value.isWellFormed(),
}

/** A number as such, anything else by its text. */
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

/** A descriptor with its defaults. */
export const descriptorOf = (facts: TypeFacts): TypeDescriptor => ({
  ...DEFAULTS,
  accepts: facts.fits,
  typedCell: limits => valueCell(value => (facts.fits(value, limits) ? (value as SqlValue) : null)),
  jsonSql: cell => (facts.column === 'json' ? cell : `json_quote(${cell})`),
  ...facts,
})
