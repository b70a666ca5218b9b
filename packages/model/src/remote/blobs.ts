import type { BlobRef } from '../definition/attribute-types.js'
import type { BlobLike } from '../typed/attribute.js'

/** Takes a page's file into the device. `release`: the call is over, and its rows hold the file from now on. */
export type TakeBlob = (blob: BlobLike) => Promise<{ readonly value: BlobRef; readonly release: () => void }>

/** Keeps each file at once, for those that fit into memory. */
export const takeWhole =
  ({ keepBytes }: { readonly keepBytes: (bytes: Uint8Array) => Promise<string> }): TakeBlob =>
  async blob => ({ value: { hash: await keepBytes(new Uint8Array(await blob.arrayBuffer())) }, release: () => {} })

const isBlob = (value: object): value is BlobLike =>
  typeof (value as { readonly arrayBuffer?: unknown }).arrayBuffer === 'function' && 'size' in value

/** Bytes of which a model makes a file. */
const asBlob = (bytes: Uint8Array): BlobLike => ({
  size: bytes.length,
  type: '',
  arrayBuffer: async () => Uint8Array.from(bytes).buffer,
})

/** Whether there is a file in what a page gave. `bytes`: they are one, too. */
export function hasBlob(value: unknown, bytes: boolean): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (ArrayBuffer.isView(value)) return bytes
  return isBlob(value) || Object.values(value).some(member => hasBlob(member, bytes))
}

/** The same values with each file taken into the device. */
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
