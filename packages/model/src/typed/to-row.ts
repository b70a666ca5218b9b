import type { AttributeValue } from '@godwit/protocol'
import { ATTRIBUTE_TYPES } from '../definition/attribute-types.js'
import type { Join } from '../query/query-tree.js'
import type { RecordRow } from '../records/records.js'
import type { NameMap } from './name-map.js'

/** Converts engine rows to frozen rows with the app's names and every key. */
export type ToRow = (row: RecordRow) => object

export interface Shape {
  readonly select?: readonly string[]
  readonly with?: readonly Join[]
}

interface RowMember {
  readonly key: string
  readonly name: string
  /** Converts the value; undefined if it is displayed as stored. */
  readonly value: ((value: AttributeValue | undefined) => unknown) | undefined
}

export function toRow(nameMap: NameMap, { select, with: joins = [] }: Shape = {}): ToRow {
  const members = [...nameMap.attributes]
    .filter(([, { name }]) => select === undefined || select.includes(name))
    .map(([key, attribute]): RowMember => ({ key, name: attribute.name, value: ATTRIBUTE_TYPES[attribute.type].toApp }))
  const related = joins.map(join => [join.as, toRow(nameMap.edgeOf(join.model), join)] as const)
  const isPlain = members.every(({ key, name }) => !(key in {} || name in {})) && related.every(([as]) => !(as in {}))
  // Copying an object that has every key is faster than adding keys one by one.
  const keys = ['id', ...members.map(({ key }) => key), ...related.map(([as]) => as)]
  const empty: { readonly [key: string]: unknown } = Object.fromEntries(keys.map(key => [key, undefined]))
  return ({ object, attributes, related: rows }) => {
    const row: Record<string, unknown> = isPlain ? { ...empty } : Object.create(null)
    row['id'] = object
    for (const { key, name, value } of members) {
      const given = isPlain || Object.hasOwn(attributes, name) ? attributes[name] : undefined
      row[key] = value ? value(given) : given
    }
    for (const [as, make] of related) row[as] = rows?.[as] && make(rows[as])
    return Object.freeze(row)
  }
}
