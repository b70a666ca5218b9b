import { type Attributes, SyncError } from '@godwit/protocol'
import type { OpenModel } from '../database/open-models.js'
import { valueIn } from '../definition/attribute-values.js'
import { BLOB_FOLDER, fileOf } from '../definition/blob-names.js'
import { isBytes } from '../definition/bytes.js'
import { isHash } from '../definition/number-text.js'
import type { DeviceFiles } from '../platform/device-files.js'

/** Converts between file paths, which the app sees, and hashes, which rows store. Undefined for models without blobs. */
export interface BlobPaths {
  /**
   * Copies the files that attributes name into the device's folder and returns the attributes with hashes instead. A path that the row already shows
   * keeps the row's hash. Throws `attribute_invalid`.
   */
  toHashes(attributes: Attributes, row?: BlobRow): Attributes
  /** Returns the attributes with the paths of the device's files instead of hashes. */
  toPaths(object: string, attributes: Attributes): Attributes
  /** Forgets the files that this device sent for these attributes, because the app is writing them again. */
  forget(object: string, attributes: Attributes): void
}

export interface BlobRow {
  readonly object: string
  readonly attributes: Attributes
}

export function blobPathsOf(
  { name: model, blobs, scope }: OpenModel,
  files: DeviceFiles | undefined,
): BlobPaths | undefined {
  if (blobs.length === 0) return undefined
  const { own } = scope.blobs
  /** Applies a function to each blob among the attributes. */
  const mapped = (
    attributes: Attributes,
    map: (value: string | Uint8Array, attribute: string) => string,
  ): Attributes => {
    const changes = blobs.flatMap(({ name }) => {
      const value: unknown = Object.hasOwn(attributes, name) ? attributes[name] : undefined
      return typeof value === 'string' || isBytes(value) ? [[name, map(value, name)] as const] : []
    })
    return changes.length === 0 ? attributes : { ...attributes, ...Object.fromEntries(changes) }
  }
  return {
    toHashes: (attributes, row) =>
      mapped(attributes, (value, name) => {
        const there = row && valueIn(row.attributes, name)
        const sent = row && own.get(model, row.object, name)
        const hash = keep(files, value, { attribute: `${model}.${name}`, present: [there, sent] })
        return sent === hash && isHash(there) ? there : hash
      }),
    toPaths: (object, attributes) =>
      mapped(attributes, (value, name) =>
        files && isHash(value) ? files.path(fileOf(own.get(model, object, name) ?? value)) : String(value),
      ),
    forget(object, attributes) {
      for (const { name } of blobs) if (Object.hasOwn(attributes, name)) own.remove(model, object, name)
    },
  }
}

interface KeptBlobs {
  /** The attribute's name for error messages. */
  readonly attribute: string
  /** The row's value and the hash that this device sent for it: writing one of them back needs no file. */
  readonly present: readonly unknown[]
}

function keep(files: DeviceFiles | undefined, value: string | Uint8Array, { attribute, present }: KeptBlobs): string {
  const hash = typeof value === 'string' ? hashOfOwn(files, value) : undefined
  if (hash !== undefined && (present.includes(hash) || files === undefined || files.size(fileOf(hash)) !== undefined))
    return hash
  const taken = hash === undefined ? files?.take(value, BLOB_FOLDER) : undefined
  if (taken !== undefined) return taken
  const isText = typeof value === 'string'
  const expected =
    isText || !files ? expectedOf(files, hash) : 'a Blob, since this platform cannot write bytes synchronously'
  throw new SyncError(
    'attribute_invalid',
    `${attribute} is a Blob: expected ${expected}, got ${isText ? JSON.stringify(value.slice(0, 200)) : `${value.length} bytes`}. Nothing was stored.`,
    { details: { attribute } },
  )
}

/** Returns the hash in a value: the value itself, or the last part of the path of a file of this device. */
function hashOfOwn(files: DeviceFiles | undefined, value: string): string | undefined {
  const isKept: boolean = isHash(value)
  if (isKept) return value
  const name = files?.nameOf(value)
  const hash = name?.slice(BLOB_FOLDER.length + 1)
  return isHash(hash) && name === fileOf(hash) ? hash : undefined
}

function expectedOf(files: DeviceFiles | undefined, hash: string | undefined): string {
  if (files === undefined) return 'a platform with file storage, which this one does not have'
  const isAbsent = hash !== undefined ? '; this one is not on this device, sync first' : ''
  return `the path or file: URI of a file that can be read${isAbsent}`
}
