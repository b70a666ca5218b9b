import { type Attributes, type AttributeValue, emptyRecord } from '@godwit/protocol'
import type { AttributeDefinition, Definition } from '../definition/definition.js'
import { missingValue } from '../definition/missing-value.js'
import { valueIn } from './attributes.js'
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
  const isPlain = shown.every(({ name }) => !(name in {}))
  return {
    columns: shown.map(({ name }) => column(name)),
    decode(row, from) {
      const result: Record<string, AttributeValue> = isPlain ? {} : emptyRecord()
      for (let at = 0; at < shown.length; at++) {
        const { name, show } = shown[at] as ShownAttribute
        const value = show(row[from + at] as SqlValue)
        if (value !== undefined) result[name] = value
      }
      return result
    },
  }
}

function attributeOf(attribute: AttributeDefinition): ShownAttribute {
  const { name, check } = attribute
  const [{ decode }, missing] = [typedCellOf(attribute), missingValue(attribute)]
  const fitting = (cell: NonNullable<SqlValue>) => (check ? check(decode(cell)) : decode(cell))
  return { name, show: cell => (cell === null ? missing : (fitting(cell) ?? missing)) }
}

/** The same of attributes as they are stored. */
export function shownAttributes(definition: Definition, stored: Attributes): Attributes {
  const cells = [...definition.attributes.values()].map(attribute => {
    const value = valueIn(stored, attribute.name) ?? null
    return value === null ? null : typedCellOf(attribute).encode(value)
  })
  return shownCodec(definition).decode(cells, 0)
}
