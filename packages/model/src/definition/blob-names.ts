import type { Attributes } from '@godwit/protocol'
import { ATTRIBUTE_TYPES } from './attribute-types.js'
import type { AttributeDefinition, Definition } from './definition.js'
import { isHash } from './number-text.js'

/** The folder of blobs among the files of a device. */
export const BLOB_FOLDER = 'blobs'

/** Returns the file name of a blob on this device, which contains its SHA-256. */
export const fileOf = (hash: string): string => `${BLOB_FOLDER}/${hash}`

/** Returns the attributes of a model that hold blobs. */
export const blobAttributesOf = ({ attributes }: Definition): readonly AttributeDefinition[] =>
  [...attributes.values()].filter(({ type }) => ATTRIBUTE_TYPES[type].isFile)

/** Returns the names of the attributes that hold a blob. */
export const namesOfBlobs = (blobs: readonly AttributeDefinition[], attributes: Attributes): readonly string[] =>
  blobs.map(({ name }) => name).filter(name => Object.hasOwn(attributes, name) && isHash(attributes[name]))

/** Returns the hashes of the blobs in attributes. */
export function hashesIn(blobs: readonly AttributeDefinition[], attributes: Attributes): readonly string[] {
  return blobs.flatMap(({ name }) => {
    const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined
    return isHash(value) ? [value] : []
  })
}
