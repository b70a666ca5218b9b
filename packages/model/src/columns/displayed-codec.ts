import { type Attributes, type AttributeValue, emptyRecord } from '@godwit/protocol'
import type { Cell } from '../definition/attribute-type.js'
import { ATTRIBUTE_TYPES } from '../definition/attribute-types.js'
import { valueIn } from '../definition/attribute-values.js'
import type { AttributeDefinition, Definition } from '../definition/definition.js'
import { missingValue } from '../definition/missing-value.js'
import type { SqlValue } from '../platform/driver.js'
import { column } from './table-shape.js'

/** Decodes typed rows to the values that the app sees, which are also those of conditions, order and indexes. */
export interface DisplayedCodec {
  /** Quoted names of the columns read. */
  readonly columns: readonly string[]
  /** `from`: position of the first of these columns in the row. */
  decode(row: readonly SqlValue[], from: number): Attributes
}

interface DisplayedAttribute {
  readonly name: string
  /** The value displayed if there is no valid one. */
  readonly missing: AttributeValue | undefined
  readonly cell: Cell
  /** Converts a column's value; undefined if it is displayed unchanged. */
  readonly read: ((cell: NonNullable<SqlValue>) => AttributeValue | undefined) | undefined
  /** True if a value that the column stores exactly is displayed unchanged. */
  readonly displaysExact: boolean
  /** True if the table has a column for the attribute. */
  readonly hasColumn: boolean
}

/** Returns the codec of a definition, limited to the attributes in `select` if given. */
export function displayedCodec(definition: Definition, select?: readonly string[]): DisplayedCodec {
  if (select) return codecOf([...definition.attributes.values()].filter(({ name }) => select.includes(name)))
  const known = codecs.get(definition) ?? codecOf([...definition.attributes.values()])
  codecs.set(definition, known)
  return known
}

const codecs = new WeakMap<Definition, DisplayedCodec>()

function codecOf(attributes: readonly AttributeDefinition[]): DisplayedCodec {
  const all = attributes.map(attributeOf)
  const plain = isPlain(all)
  const inColumns = all.filter(({ hasColumn }) => hasColumn)
  const others = all.filter(({ hasColumn, missing }) => !hasColumn && missing !== undefined)
  return {
    columns: inColumns.map(({ name }) => column(name)),
    decode(row, from) {
      const result: Record<string, AttributeValue> = plain ? {} : emptyRecord()
      for (const { name, missing } of others) result[name] = missing as AttributeValue
      for (let at = 0; at < inColumns.length; at++) {
        const one = inColumns[at] as DisplayedAttribute
        const value = ofCell(one, row[from + at] as SqlValue)
        if (value !== undefined) result[one.name] = value
      }
      return result
    },
  }
}

const isPlain = (attributes: readonly DisplayedAttribute[]): boolean => attributes.every(({ name }) => !(name in {}))

function attributeOf(attribute: AttributeDefinition): DisplayedAttribute {
  const { name, check, column } = attribute
  const type = ATTRIBUTE_TYPES[attribute.type]
  const cell = type.typedCell(attribute)
  const isRead = check !== undefined || type.column !== 'value'
  const read = (given: NonNullable<SqlValue>) => (check ? check(cell.decode(given)) : cell.decode(given))
  const readSome = (given: NonNullable<SqlValue>) => cell.encode(given as string) as AttributeValue
  return {
    name,
    missing: missingValue(attribute),
    cell,
    read: column === 'wider' ? readSome : isRead ? read : undefined,
    displaysExact: check === undefined && type.column !== 'json' && column !== 'absent',
    hasColumn: column !== 'absent',
  }
}

function ofCell({ read, missing }: DisplayedAttribute, given: SqlValue): AttributeValue | undefined {
  if (given === null) return missing
  return read ? (read(given) ?? missing) : (given as AttributeValue)
}

function ofStored(one: DisplayedAttribute, value: AttributeValue | undefined): AttributeValue | undefined {
  if (value === null || value === undefined || !one.hasColumn) return one.missing
  const cell = one.cell.encode(value)
  return one.displaysExact && one.cell.isExact(value, cell) ? value : ofCell(one, cell)
}

/** Converts stored attributes to those that the app sees; returns the same object if they are equal. `areFitting`: every value matches its type. */
export function displayedAttributes(definition: Definition, stored: Attributes, areFitting = false): Attributes {
  const { all, plain, showsExact } = displayedAttributesOf(definition)
  const isComplete = plain && Object.keys(stored).length === all.length
  if (isComplete && ((areFitting && showsExact) || displayAsStored(all, stored))) return stored
  const result: Record<string, AttributeValue> = plain ? {} : emptyRecord()
  for (const one of all) {
    const value = ofStored(one, plain ? stored[one.name] : valueIn(stored, one.name))
    if (value !== undefined) result[one.name] = value
  }
  return result
}

/** Returns true if every attribute is displayed as it is stored. */
function displayAsStored(all: readonly DisplayedAttribute[], stored: Attributes): boolean {
  for (const { name, cell, displaysExact } of all) {
    const value = stored[name] ?? null
    if (value === null || !displaysExact || !cell.isExact(value, cell.encode(value))) return false
  }
  return true
}

/** Like `shownAttributes`, for one attribute. */
export function displayedValue(definition: Definition, stored: Attributes, name: string): AttributeValue | undefined {
  const one = displayedAttributesOf(definition).byName.get(name)
  return one && ofStored(one, valueIn(stored, name))
}

interface DisplayedAttributes {
  readonly all: readonly DisplayedAttribute[]
  readonly byName: ReadonlyMap<string, DisplayedAttribute>
  readonly plain: boolean
  /** True if `showsExact` is true for each attribute. */
  readonly showsExact: boolean
}

const DISPLAYED_ATTRIBUTES = new WeakMap<Definition, DisplayedAttributes>()

function displayedAttributesOf(definition: Definition): DisplayedAttributes {
  const known = DISPLAYED_ATTRIBUTES.get(definition)
  if (known) return known
  const all = [...definition.attributes.values()].map(attributeOf)
  const created: DisplayedAttributes = {
    all,
    byName: new Map(all.map(one => [one.name, one])),
    plain: isPlain(all),
    showsExact: all.every(one => one.displaysExact),
  }
  DISPLAYED_ATTRIBUTES.set(definition, created)
  return created
}
