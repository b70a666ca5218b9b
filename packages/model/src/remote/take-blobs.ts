import type { BlobRef } from '../definition/attribute-types.js'
import type { BlobLike } from '../typed/attribute.js'

/** Stores a page's file on the device. Call `release` after the call, when its rows refer to the file. */
export type TakeBlob = (blob: BlobLike) => Promise<{ readonly value: BlobRef; readonly release: () => void }>

/** Stores each file in one write, for files that fit into memory. */
export const takeWhole =
  ({ keepBytes }: { readonly keepBytes: (bytes: Uint8Array) => Promise<string> }): TakeBlob =>
  async blob => ({ value: { hash: await keepBytes(new Uint8Array(await blob.arrayBuffer())) }, release: () => {} })

const isBlob = (value: object): value is BlobLike =>
  typeof (value as { readonly arrayBuffer?: unknown }).arrayBuffer === 'function' && 'size' in value

/** Wraps bytes that a model stores as a file. */
const asBlob = (bytes: Uint8Array): BlobLike => ({
  size: bytes.length,
  type: '',
  arrayBuffer: async () => Uint8Array.from(bytes).buffer,
})

/** Whether a page's argument contains a file. `bytes`: byte arrays count as files too. */
export function hasBlob(value: unknown, bytes: boolean): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (ArrayBuffer.isView(value)) return bytes
  return isBlob(value) || Object.values(value).some(member => hasBlob(member, bytes))
}

/** Returns the same values with each file stored on the device. */
export async function withBlobs(
  value: unknown,
  bytes: boolean,
  take: (blob: BlobLike) => Promise<unknown>,
): Promise<unknown> {
  if (!hasBlob(value, bytes)) return value
  if (ArrayBuffer.isView(value)) return take(asBlob(value as Uint8Array))
  if (isBlob(value as object)) return take(value as BlobLike)
  if (Array.isArray(value)) return Promise.all(value.map(one => withBlobs(one, bytes, take)))
  const members = Object.entries(value as object).map(
    async ([name, member]) => [name, await withBlobs(member, bytes, take)] as const,
  )
  return Object.fromEntries(await Promise.all(members))
}
