import type { ChangeRow, RowPage } from '../collections.js'

/** Bytes of ids and texts after which a read of rows or outcomes stops; it has at least one. */
export const READ_BYTES = 1024 * 1024

/** Takes the first of `items`, up to a number and up to `most` bytes, but at least one. Default: `READ_BYTES`. */
export function takeUpTo<Item>(
  items: Iterable<Item>,
  limit: number,
  sizeOf: (item: Item) => number,
  most = READ_BYTES,
): { readonly taken: readonly Item[]; readonly more: boolean } {
  const taken: Item[] = []
  let bytes = 0
  // Leaving the loop closes the iteration, which may hold a connection.
  for (const item of items) {
    if (limit === 0) break
    bytes += sizeOf(item)
    if (bytes > most && taken.length > 0) return { taken, more: true }
    taken.push(item)
    if (taken.length === limit) break
  }
  return { taken, more: taken.length === limit }
}

/** Takes the first rows, as `takeUpTo` does. */
export function takeRows(items: Iterable<ChangeRow>, limit: number): RowPage {
  const { taken, more } = takeUpTo(items, limit, sizeOfRow)
  return { rows: taken, more }
}

const sizeOfRow = ({ id, text }: ChangeRow): number =>
  Buffer.byteLength(id) + (text === null ? 0 : Buffer.byteLength(text))
