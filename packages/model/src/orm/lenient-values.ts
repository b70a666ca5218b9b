import type { Attributes, AttributeValue } from '@godwit/protocol'
import { ATTRIBUTE_TYPES } from '../definition/attribute-types.js'
import type { Definition } from '../definition/definition.js'

/** Converts numbers and Booleans to text for text attributes. Non-objects are returned unchanged; later checks reject them. */
export function withTextValues({ attributes: declared }: Definition, given: Attributes): Attributes {
  if (typeof given !== 'object' || given === null) return given
  const texts = Object.keys(given).flatMap(name => {
    const type = declared.get(name)?.type
    const value = type && ATTRIBUTE_TYPES[type].isPlainText ? textOf(given[name]) : undefined
    return value === undefined ? [] : [[name, value] as const]
  })
  return texts.length === 0 ? given : { ...given, ...Object.fromEntries(texts) }
}

const textOf = (value: AttributeValue | undefined): string | undefined =>
  typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)) ? String(value) : undefined

/** Replaces an empty sort direction by ASC. */
export function withDirections(options: unknown): unknown {
  if (typeof options !== 'object' || options === null || !Object.hasOwn(options, 'orderdir')) return options
  return { ...options, orderdir: directionsOf((options as { readonly orderdir: unknown }).orderdir) }
}

function directionsOf(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(directionsOf)
  return typeof given === 'string'
    ? given
        .split(',')
        .map(one => (one.trim() === '' ? 'ASC' : one))
        .join()
    : given
}
