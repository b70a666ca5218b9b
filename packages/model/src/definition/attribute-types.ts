import type { AttributeValue } from '@godwit/protocol'
import {
  ANY_NUMBER,
  type Comparability,
  descriptorOf,
  type PresentValue,
  type TypeDescriptor,
  type TypeFacts,
  textOf,
  valueCell,
} from './attribute-type.js'
import { isHash, keepsDigits, spellsNumber } from './number-text.js'
import { isJson } from './plain-json.js'
import { utcText } from './timestamp.js'

/** A file attribute in a row. `sdk.blobPath(row.photo)` returns its path on the device. */
export interface BlobRef {
  /** SHA-256, 64 lower-case hexadecimal digits. */
  readonly hash: string
}

/** The kinds of attributes that `t` declares without required arguments, with the type of their values in rows. */
export interface PlainKinds {
  string: string
  /** A whole number. */
  integer: number
  float: number
  boolean: boolean
  /** A Date; ISO 8601 text in the database and on the wire. */
  timestamp: Date
}

/**
 * The kinds of attributes, with the type of their values in rows. In the engine `belongsTo` is a String; other kinds have the type of the same name.
 */
export interface Kinds extends PlainKinds {
  enum: string
  json: unknown
  blob: BlobRef
  belongsTo: string
}

/** Kinds other than strings that allow `<` and `>` in conditions. */
export type OrderedKind = 'integer' | 'float' | 'timestamp'
/** Kinds that allow neither conditions nor order. */
export type OpaqueKind = 'json' | 'blob'

type TypedKind = Exclude<keyof Kinds, 'belongsTo'>

/** The declared types of attributes. */
export type AttributeType = Capitalize<TypedKind> | 'Varchar'

type ComparabilityOf<Kind> = Kind extends 'string'
  ? 'text'
  : Kind extends OrderedKind
    ? 'ordered'
    : Kind extends OpaqueKind
      ? 'none'
      : 'equality'

interface Comparable<C extends Comparability> {
  readonly comparability: C
}

type Facts = { readonly [Kind in TypedKind as Capitalize<Kind>]: TypeFacts & Comparable<ComparabilityOf<Kind>> } & {
  readonly Varchar: TypeFacts
}

const describeAll = (facts: Facts): { readonly [Type in AttributeType]: TypeDescriptor } =>
  Object.fromEntries(Object.entries(facts).map(([name, one]) => [name, descriptorOf(one)])) as {
    readonly [Type in AttributeType]: TypeDescriptor
  }

const isText = (value: AttributeValue): boolean => typeof value === 'string'

const TEXTS = /* @__PURE__ */ valueCell(value =>
  typeof value === 'string' ? value.toWellFormed() : typeof value === 'object' ? null : String(value),
)

/** Returns the number that a value is or that its text spells; null if there is none. */
function numberOf(value: PresentValue): number | null {
  const number = typeof value === 'string' ? parseNumber(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

const parseNumber = (text: string): AttributeValue => (spellsNumber(text) && keepsDigits(text) ? Number(text) : text)

function migrateNumber(value: AttributeValue, isKept: (number: number, text: string) => boolean): AttributeValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value !== 'string' || !/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value.trim())) return value
  const number = Number(value)
  return Number.isFinite(number) && isKept(number, value) ? number : value
}

/** Returns true, false, or the value if it spells neither. */
function booleanOf(value: AttributeValue): AttributeValue {
  if (value === 'true' || value === 1) return true
  return value === 'false' || value === 0 ? false : value
}

/** Returns true for dates, including those of another realm such as a frame. */
const isDate = (value: unknown): value is Date =>
  value instanceof Date || Object.prototype.toString.call(value) === '[object Date]'

const isBlobRef = (value: object): value is BlobRef =>
  Object.keys(value).length === 1 && typeof (value as { hash?: unknown }).hash === 'string'

/** The attribute types, with everything that depends on a type. Members are functions, so that bundlers can drop unused ones. */
export const ATTRIBUTE_TYPES = /* @__PURE__ */ describeAll({
  String: {
    faces: 'both',
    comparability: 'text',
    isPlainText: true,
    empty: () => '',
    fits: isText,
    typedCell: () => TEXTS,
  },
  Integer: {
    faces: 'both',
    comparability: 'ordered',
    affinity: 'INTEGER',
    empty: () => 0,
    fits: value => Number.isInteger(value),
    parse: parseNumber,
    migrate: value => migrateNumber(value, number => Number.isSafeInteger(number)),
    untypedCell: ANY_NUMBER,
    typedCell: () =>
      valueCell(value => {
        const number = numberOf(value)
        return Number.isInteger(number) ? number : null
      }),
  },
  Float: {
    faces: 'both',
    comparability: 'ordered',
    affinity: 'REAL',
    empty: () => 0,
    fits: value => Number.isFinite(value),
    parse: parseNumber,
    migrate: value => migrateNumber(value, (_, text) => keepsDigits(text)),
    untypedCell: ANY_NUMBER,
    typedCell: () => valueCell(numberOf),
  },
  Boolean: {
    faces: 'both',
    comparability: 'equality',
    column: 'text',
    empty: () => false,
    fits: value => typeof value === 'boolean',
    parse: text => (text === 'true' ? true : text === 'false' ? false : text),
    migrate: booleanOf,
    untypedCell: {
      encode: textOf,
      decode: cell => cell === 'true',
      isExact: value => typeof value === 'boolean',
    },
    typedCell: () => ({
      encode(value) {
        const one = booleanOf(value)
        return typeof one === 'boolean' ? String(one) : null
      },
      decode: cell => cell === 'true',
      isExact: value => typeof value === 'boolean',
    }),
    jsonSql: cell => `CASE ${cell} WHEN 'true' THEN 'true' ELSE 'false' END`,
    appSql: expression => `(${expression} = 'true')`,
  },
  Varchar: {
    faces: 'document',
    comparability: 'text',
    isPlainText: true,
    empty: () => '',
    fits: isText,
    typedCell: () => TEXTS,
  },
  Blob: {
    faces: 'both',
    comparability: 'none',
    isFile: true,
    empty: () => undefined,
    // The app writes paths.
    fits: isText,
    typedCell: () => valueCell(value => (isHash(value) ? value : null)),
    // The engine returns the path of the file on the device.
    toApp: value => (typeof value === 'string' ? Object.freeze({ hash: value.slice(-64) }) : undefined),
    fromApp: value => (isBlobRef(value) ? value.hash : undefined),
  },
  Timestamp: {
    comparability: 'ordered',
    empty: () => '1970-01-01T00:00:00.000Z',
    fits: value => typeof value === 'string' && utcText(value) === value,
    accepts: value => typeof value === 'string' && utcText(value) !== undefined,
    parse: text => utcText(text) ?? text,
    typedCell: () => valueCell(value => (typeof value === 'string' ? (utcText(value) ?? null) : null)),
    toApp: value => (value === undefined ? undefined : new Date(value as string)),
    fromApp(value) {
      if (!isDate(value)) return undefined
      return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
    },
  },
  Enum: {
    comparability: 'equality',
    empty: ({ values }) => values?.[0],
    fits: (value, { values = [] }) => typeof value === 'string' && values.includes(value),
  },
  Json: {
    comparability: 'none',
    column: 'json',
    empty: () => undefined,
    fits: (value, { check }) => isJson(value) && (check === undefined || check(value) !== undefined),
    typedCell: ({ check }) => ({
      encode: value => (check === undefined || check(value) !== undefined ? JSON.stringify(value) : null),
      decode: cell => JSON.parse(String(cell)) as AttributeValue,
      isExact: (_, cell) => cell !== null,
    }),
  },
})

const DESCRIPTORS = /* @__PURE__ */ Object.entries(ATTRIBUTE_TYPES) as readonly (readonly [
  AttributeType,
  TypeDescriptor,
])[]

/** Returns the types that `NewORMModel` can declare. */
export const documentTypes = (): readonly AttributeType[] =>
  DESCRIPTORS.flatMap(([name, { faces }]) => (faces === 'typed' ? [] : [name]))

/** Returns the engine's type for a kind of the typed API. */
export const typeOfKind = (kind: keyof Kinds): AttributeType =>
  kind === 'belongsTo' ? 'String' : ((kind.slice(0, 1).toUpperCase() + kind.slice(1)) as AttributeType)

/** Returns the kinds of the typed API, except `belongsTo`. */
export const typedKinds = (): readonly TypedKind[] =>
  DESCRIPTORS.flatMap(([name, { faces }]) =>
    faces === 'document' ? [] : [(name.slice(0, 1).toLowerCase() + name.slice(1)) as TypedKind],
  )

/** Converts a value of the app to the engine's: a Date to text, a file to its hash. */
export function storedOf(value: object): unknown {
  for (const [, { fromApp }] of DESCRIPTORS) {
    const stored = fromApp(value)
    if (stored !== undefined) return stored
  }
  return value
}
