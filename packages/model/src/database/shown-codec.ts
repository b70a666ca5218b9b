import { type Attributes, type AttributeValue, emptyRecord } from '@godwit/protocol'
import type { AttributeDefinition, Definition } from '../definition/definition.js'
import { missingValue } from '../definition/missing-value.js'
import { recordFor, valueIn } from './attributes.js'
import type { Cell } from './cell.js'
import type { SqlValue } from './driver.js'
import { column } from './table-shape.js'
import { typedCellOf } from './typed-cell.js'

/** How typed rows become what the app sees: what conditions, order and indexes see, too. */
export interface ShownCodec {
  /** Quoted names of the columns that it reads. */
  readonly columns: readonly string[]
  /** `from`: where the columns begin in the row. */
  decode(row: readonly SqlValue[], from: number): Attributes
}

interface ShownAttribute {
  readonly name: string
  readonly cell: Cell
  readonly show: (cell: SqlValue) => AttributeValue | undefined
}

/** `select`: of these attributes alone. */
export function shownCodec(definition: Definition, select?: readonly string[]): ShownCodec {
  if (select) return codecOf([...definition.attributes.values()].filter(({ name }) => select.includes(name)))
  const known = codecs.get(definition) ?? codecOf([...definition.attributes.values()])
  codecs.set(definition, known)
  return known
}

const codecs = new WeakMap<Definition, ShownCodec>()

function codecOf(attributes: readonly AttributeDefinition[]): ShownCodec {
  const shown = attributes.map(attributeOf)
  const plain = isPlain(shown)
  return {
    columns: shown.map(({ name }) => column(name)),
    decode(row, from) {
      const result: Record<string, AttributeValue> = plain ? {} : emptyRecord()
      for (let at = 0; at < shown.length; at++) {
        const { name, show } = shown[at] as ShownAttribute
        const value = show(row[from + at] as SqlValue)
        if (value !== undefined) result[name] = value
      }
      return result
    },
  }
}

const isPlain = (shown: readonly ShownAttribute[]): boolean => shown.every(({ name }) => !(name in {}))

function attributeOf(attribute: AttributeDefinition): ShownAttribute {
  const { name, check } = attribute
  const [cell, missing] = [typedCellOf(attribute), missingValue(attribute)]
  const fitting = (given: NonNullable<SqlValue>) => (check ? check(cell.decode(given)) : cell.decode(given))
  return { name, cell, show: given => (given === null ? missing : (fitting(given) ?? missing)) }
}

/** The same of attributes as they are stored. */
export function shownAttributes(definition: Definition, stored: Attributes): Attributes {
  const all = shownBy(definition)
  const result = isPlain(all) ? recordFor() : emptyRecord<AttributeValue>()
  for (const { name, cell, show } of all) {
    const value = valueIn(stored, name) ?? null
    const shown = show(value === null ? null : cell.encode(value))
    if (shown !== undefined) result[name] = shown
  }
  return result
}

const attributes = new WeakMap<Definition, readonly ShownAttribute[]>()

function shownBy(definition: Definition): readonly ShownAttribute[] {
  const known = attributes.get(definition) ?? [...definition.attributes.values()].map(attributeOf)
  attributes.set(definition, known)
  return known
}
