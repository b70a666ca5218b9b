import type { BlobRef } from '../typed/attribute.js'
import type { BlobLike } from './actions.js'

/** Takes a page's file into the device. `release`: the call is over, and its rows hold the file from now on. */
export type TakeBlob = (
  blob: BlobLike,
) => Promise<{ readonly value: BlobRef | Uint8Array; readonly release: () => void }>

/** For devices that take bytes: the engine stores them with the row. */
export const takeBytes: TakeBlob = async blob => ({
  value: new Uint8Array(await blob.arrayBuffer()),
  release: () => {},
})

const isBlob = (value: object): value is BlobLike =>
  typeof (value as { readonly arrayBuffer?: unknown }).arrayBuffer === 'function' && 'size' in value

/** Whether there is a file in what a page gave. */
export function hasBlob(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false
  return isBlob(value) || Object.values(value).some(hasBlob)
}

/** The same values with each file taken into the device. */
export async function withBlobs(value: unknown, take: (blob: BlobLike) => Promise<unknown>): Promise<unknown> {
  if (!hasBlob(value)) return value
  if (isBlob(value as object)) return take(value as BlobLike)
  if (Array.isArray(value)) return Promise.all(value.map(one => withBlobs(one, take)))
  const members = Object.entries(value as object).map(
    async ([name, member]) => [name, await withBlobs(member, take)] as const,
  )
  return Object.fromEntries(await Promise.all(members))
}
