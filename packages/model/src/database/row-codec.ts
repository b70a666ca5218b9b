import { type Attributes, type AttributeValue, emptyRecord } from '@godwit/protocol'
import type { Definition } from '../definition/definition.js'
import { parseAttributes, picked, present } from './attributes.js'
import { decodeCell, encodeCell } from './cell.js'
import type { SqlValue } from './driver.js'
import { column } from './table-shape.js'

/** How the attributes of one model become columns and come back. */
export interface RowCodec {
  /** Quoted names of the columns that hold attributes. */
  readonly columns: readonly string[]
  encode(attributes: Attributes): readonly SqlValue[]
  /** The columns that other values of these attributes change, among those of `columns`. */
  changed(names: readonly string[]): readonly number[]
  /** `from`: where the columns begin in the row. */
  decode(row: readonly SqlValue[], from: number): Attributes
  /** What `decode` gives, as JSON text. */
  text(row: readonly SqlValue[], from: number): string
}

export const rowCodec = (definition: Definition): RowCodec =>
  definition.storage === 'bag' ? bagCodec(definition) : fixedCodec(definition)

/** A frozen model keeps what it declares: undeclared attributes from the server are skipped. */
function bagCodec(definition: Definition): RowCodec {
  const declared = [...definition.attributes.keys()]
  const kept = (attributes: Attributes) => (definition.freezed ? picked(attributes, declared) : present(attributes))
  return {
    columns: ['attributes'],
    encode: attributes => [JSON.stringify(kept(attributes))],
    changed: () => [0],
    decode: (row, from) => parseAttributes(row[from] as string),
    text: (row, from) => row[from] as string,
  }
}

function fixedCodec(definition: Definition): RowCodec {
  const declared = [...definition.attributes.values()].map(({ name, type }) => ({ name, type, inherited: name in {} }))
  const plain = declared.every(({ inherited }) => !inherited)
  const places = new Map(declared.map(({ name }, place) => [name, place]))
  const encodeOne = (attributes: Attributes, { name, type, inherited }: (typeof declared)[number]): SqlValue =>
    inherited && !Object.hasOwn(attributes, name) ? null : encodeCell(attributes[name], type)
  const decode = (row: readonly SqlValue[], from: number): Attributes => {
    const attributes: Record<string, AttributeValue> = plain ? {} : emptyRecord()
    for (let at = 0; at < declared.length; at++) {
      const { name, type } = declared[at] as (typeof declared)[number]
      const value = decodeCell(row[from + at], type)
      if (value !== undefined) attributes[name] = value
    }
    return attributes
  }
  return {
    columns: declared.map(({ name }) => column(name)),
    encode: attributes => declared.map(one => encodeOne(attributes, one)),
    changed: names => names.map(name => places.get(name)).filter(place => place !== undefined),
    decode,
    text: (row, from) => JSON.stringify(decode(row, from)),
  }
}
