import { type Attributes, SyncError } from '@godwit/protocol'
import { valueIn } from '../database/attributes.js'
import type { Model } from '../database/models.js'
import type { DeviceFiles } from '../files/device-files.js'
import { BLOB_FOLDER, fileOf, isHash } from './blob-name.js'

/** Blobs as the app sees them, files: rows have their hashes. Undefined for models without blobs. */
export interface ShownBlobs {
  /**
   * Copies the files that attributes name into the device's own, and gives the attributes with their hashes. Throws `attribute_invalid`.
   * Of a row that is there: what it shows stands for what it has, which may be another one that the server put in its place.
   */
  keep(attributes: Attributes, row?: ShownRow): Attributes
  /** With the paths of the device's files. */
  show(object: string, attributes: Attributes): Attributes
  /** The app writes these anew: what it sent before is shown no longer. */
  forget(object: string, attributes: Attributes): void
}

export interface ShownRow {
  readonly object: string
  readonly attributes: Attributes
}

export function shownBlobs(
  { name: model, blobs, partition }: Model,
  files: DeviceFiles | undefined,
): ShownBlobs | undefined {
  if (blobs.length === 0) return undefined
  const { own } = partition.blobs
  /** Each blob that is there, as something else. */
  const mapped = (attributes: Attributes, map: (value: string, attribute: string) => string): Attributes => {
    const changes = blobs.flatMap(({ name }) => {
      const value = Object.hasOwn(attributes, name) ? attributes[name] : undefined
      return typeof value === 'string' ? [[name, map(value, name)] as const] : []
    })
    return changes.length === 0 ? attributes : { ...attributes, ...Object.fromEntries(changes) }
  }
  return {
    keep: (attributes, row) =>
      mapped(attributes, (value, name) => {
        const hash = keep(files, value, `${model}.${name}`)
        const there = row && own.get(model, row.object, name) === hash ? valueIn(row.attributes, name) : undefined
        return isHash(there) ? there : hash
      }),
    show: (object, attributes) =>
      mapped(attributes, (value, name) =>
        files && isHash(value) ? files.path(fileOf(own.get(model, object, name) ?? value)) : value,
      ),
    forget(object, attributes) {
      for (const { name } of blobs) if (Object.hasOwn(attributes, name)) own.remove(model, object, name)
    },
  }
}

function keep(files: DeviceFiles | undefined, value: string, attribute: string): string {
  const isKept: boolean = isHash(value)
  if (isKept) return value
  const here = files?.nameOf(value)?.slice(BLOB_FOLDER.length + 1)
  if (isHash(here) && files?.nameOf(value) === fileOf(here)) return here
  const hash = files?.take(value, BLOB_FOLDER)
  if (hash !== undefined) return hash
  const expected = files
    ? 'the path or file: URI of a file that can be read'
    : 'a platform that keeps files; this one keeps none'
  throw new SyncError(
    'attribute_invalid',
    `${attribute} is a Blob: expected ${expected}, got ${JSON.stringify(value.slice(0, 200))}. Nothing was stored.`,
    { details: { attribute } },
  )
}
