import type { CollectionId, Position, ReadFrom, Store } from '@godwit/store'
import { compareIds } from '@godwit/store/history'
import { type ClientRecord, nonceOf, type ReaderPosition, standingIn } from './client-record.js'

/** What a device has shown that it has of a collection: rows up to a position. Without an id, the whole version. */
export interface ConfirmedPosition {
  readonly version: number
  readonly id?: string
  /** When it was noted, by the store's clock in milliseconds since 1970. */
  readonly at: number
}

/** What the token of a pull shows: the device has stored everything before it. */
export function standingAt(nonce: string, from: ReadFrom, over: boolean): ReaderPosition {
  if (over || from.base > 0) return [nonce, from.epoch]
  return [nonce, from.epoch, from.after.version, from.after.id]
}

/** The device has shown nothing yet. */
export const standingAtZero = (nonce: string, epoch: string): ReaderPosition => [nonce, epoch, 0, '']

/** Never more than the device has. Undefined: it never asked. A reset of the client, or another epoch, voids it all. */
export async function confirmedPosition(
  { collections }: Pick<Store, 'collections'>,
  client: ClientRecord,
  collection: CollectionId,
): Promise<ConfirmedPosition | undefined> {
  const [readers, head] = await Promise.all([collections.readers(collection), collections.head(collection)])
  const reader = readers.find(({ reader }) => reader === client.id)
  if (reader === undefined) return undefined
  const { at, base } = reader
  const [nonce, epoch, version, id = ''] = standingIn(client, collection) ?? []
  if (nonce !== nonceOf(client, collection.source) || epoch !== head?.epoch) return { version: 0, id: '', at }
  return version === undefined ? { version: base, at } : { version, id, at }
}

/** Whether the device has shown that it has this row. */
export const isConfirmed = ({ version, id }: Omit<ConfirmedPosition, 'at'>, row: Position): boolean =>
  row.version < version || (row.version === version && (id === undefined || compareIds(row.id, id) <= 0))
