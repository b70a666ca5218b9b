import type { Attributes } from '@godwit/protocol'
import type { AttributeDefinition, Definition } from '../definition/definition.js'

export const BLOB_FOLDER = 'blobs'

/** In rows, changes and on the wire a blob is its SHA-256; its file on this device has the same name. */
export const isHash = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)

export const fileOf = (hash: string): string => `${BLOB_FOLDER}/${hash}`

export const blobAttributesOf = ({ attributes }: Definition): readonly AttributeDefinition[] =>
  [...attributes.values()].filter(({ type }) => type === 'Blob')

/** The attributes that name blobs. */
export const namesOfBlobs = (blobs: readonly AttributeDefinition[], attributes: Attributes): readonly string[] =>
  blobs.map(({ name }) => name).filter(name => Object.hasOwn(attributes, name) && isHash(attributes[name]))

/** The blobs that attributes name. */
export function hashesIn(blobs: readonly AttributeDefinition[], attributes: Attributes): readonly string[] {
  return blobs.flatMap(({ name }) => {
    const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined
    return isHash(value) ? [value] : []
  })
}
