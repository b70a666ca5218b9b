import { type Attributes, type AttributeValue, emptyRecord } from '@godwit/protocol'
import { ATTRIBUTE_TYPES } from '../definition/attribute-types.js'
import { parseAttributes } from '../definition/attribute-values.js'
import type { Definition } from '../definition/definition.js'
import type { SqlValue } from '../platform/driver.js'
import { attributeColumns, columnAttributes } from './table-shape.js'

/** Encodes attributes of one model as columns and decodes them without loss, including values that do not match their declared type. */
export interface RowCodec {
  /** Quoted names of the columns that hold attributes. */
  readonly columns: readonly string[]
  /** `behind` is the previous content of the rest column. `onInvalidValue` is called for values that do not match their types. */
  encode(
    attributes: Attributes,
    behind?: readonly SqlValue[],
    onInvalidValue?: (attribute: string) => void,
  ): readonly SqlValue[]
  /** Returns the positions in `columns` that change with these attributes. */
  changed(names: readonly string[]): readonly number[]
  /** `from`: position of the first of these columns in the row. */
  decode(row: readonly SqlValue[], from: number): Attributes
}

const NO_VALUES: readonly SqlValue[] = []

/** Creates the codec. A frozen model drops undeclared attributes from the server. */
export function rowCodec(definition: Definition): RowCodec {
  const declared = columnAttributes(definition)
  const cells = declared.map(attribute => {
    const type = ATTRIBUTE_TYPES[attribute.type]
    return definition.typed ? type.typedCell(attribute) : type.untypedCell
  })
  const [rest, places] = [declared.length, new Map(declared.map(({ name }, place) => [name, place]))]
  const plain = declared.every(({ name }) => !(name in {}))
  const isKept = (name: string) => !definition.freezed || definition.attributes.has(name)

  function encode(
    attributes: Attributes,
    behind: readonly SqlValue[] = NO_VALUES,
    onInvalidValue?: (attribute: string) => void,
  ): readonly SqlValue[] {
    const row = new Array<SqlValue>(rest + 1 + behind.length).fill(null)
    for (let at = 0; at < behind.length; at++) row[rest + 1 + at] = behind[at] as SqlValue
    let others: Record<string, AttributeValue> | undefined
    for (const name in attributes) {
      const [value, place] = [attributes[name], places.get(name)]
      if (value === null || value === undefined) continue
      const cell = place === undefined ? undefined : cells[place]
      const encoded = cell ? cell.encode(value) : null
      if (place !== undefined) row[place] = encoded
      if (cell && encoded === null) onInvalidValue?.(name)
      if (cell ? cell.isExact(value, encoded) : !isKept(name)) continue
      others ??= emptyRecord()
      others[name] = value
    }
    if (others) row[rest] = JSON.stringify(others)
    return row
  }

  function decode(row: readonly SqlValue[], from: number): Attributes {
    const others = row[from + rest]
    const parsed = typeof others === 'string' ? parseAttributes(others) : {}
    const attributes: Record<string, AttributeValue> = plain ? parsed : Object.assign(emptyRecord(), parsed)
    for (let at = 0; at < rest; at++) {
      const cell = row[from + at]
      if (cell === null || cell === undefined) continue
      const { name } = declared[at] as (typeof declared)[number]
      if (typeof others !== 'string' || !Object.hasOwn(attributes, name))
        attributes[name] = (cells[at] as (typeof cells)[number]).decode(cell)
    }
    return attributes
  }

  return {
    columns: attributeColumns(definition),
    encode,
    changed: names => [...new Set(names.map(name => places.get(name) ?? rest)).add(rest)],
    decode,
  }
}
