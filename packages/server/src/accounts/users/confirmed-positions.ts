import type { CollectionId, Position, ReadPosition, Store } from '@godwit/store'
import { compareIds } from '@godwit/store/history'
import { type ClientRecord, nonceOf, positionIn, type ReaderPosition, sentIn } from './client-record.js'

/** The rows of a collection that a device has confirmed: those up to a position. Without an id, the whole version. */
export interface ConfirmedPosition {
  readonly version: number
  readonly id?: string
  /** When it was recorded, by the store's clock in milliseconds since 1970. */
  readonly at: number
  /** True if a reset of the client or another epoch voided it, so that the device starts over. */
  readonly isVoid?: true
}

/** Returns the position that a pull's token confirms: the device has stored everything before it. */
export function positionOfToken(nonce: string, from: ReadPosition, over: boolean): ReaderPosition {
  if (over || from.base > 0) return [nonce, from.epoch]
  return [nonce, from.epoch, from.after.version, from.after.id]
}

/** Returns the position of a device that has confirmed nothing. */
export const startPosition = (nonce: string, epoch: string): ReaderPosition => [nonce, epoch, 0, '']

/**
 * Returns the confirmed position, which may lag behind the device's; undefined if it never pulled. A reset of the client or another epoch voids the
 * position.
 */
export async function confirmedPosition(
  { collections }: Pick<Store, 'collections'>,
  client: ClientRecord,
  collection: CollectionId,
): Promise<ConfirmedPosition | undefined> {
  const [readers, head] = await Promise.all([collections.readers(collection), collections.head(collection)])
  const reader = readers.find(({ reader }) => reader === client.id)
  if (reader === undefined) return undefined
  const { at, base } = reader
  const [nonce, epoch, version, id = ''] = positionIn(client, collection) ?? []
  if (nonce !== nonceOf(client, collection.source) || epoch !== head?.epoch)
    return { version: 0, id: '', at, isVoid: true }
  return version === undefined ? { version: base, at } : { version, id, at }
}

/** Returns the end of the last pass that was sent to the device, confirmed or not; undefined if there is none, or it is void. */
export async function sentPosition(
  { collections }: Pick<Store, 'collections'>,
  client: ClientRecord,
  collection: CollectionId,
): Promise<ConfirmedPosition | undefined> {
  const [nonce, epoch, version, at] = sentIn(client, collection) ?? []
  if (version === undefined || at === undefined || nonce !== nonceOf(client, collection.source)) return undefined
  return (await collections.head(collection))?.epoch === epoch ? { version, at } : undefined
}

/** True if the device has confirmed this row. */
export const isConfirmed = ({ version, id }: Omit<ConfirmedPosition, 'at'>, row: Position): boolean =>
  row.version < version || (row.version === version && (id === undefined || compareIds(row.id, id) <= 0))
