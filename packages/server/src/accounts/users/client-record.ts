import { emptyRecord, type JsonValue, SyncError } from '@godwit/protocol'
import type { CollectionId, RegistryRecord, Store } from '@godwit/store'

/**
 * The confirmed position of a device in a collection: nonce and epoch of its token, and during a pass from zero the last row. After a complete pass
 * the position is the base of the collection's reader.
 */
export type ReaderPosition = readonly [nonce: string, epoch: string, version?: number, id?: string]

/**
 * The last pass of a collection whose end was sent to a device: nonce and epoch of its tokens, the version that the pass reached, and when, in
 * milliseconds since 1970. The device confirms it with its next pull.
 */
export type SentPass = readonly [nonce: string, epoch: string, version: number, at: number]

/** A client (device), as pulls and pushes name it. */
export interface ClientRecord {
  readonly id: string
  readonly user: string
  /** Source → nonce; `*` applies to all sources. A token with another nonce is void. */
  readonly nonces: { readonly [source: string]: string }
  /** The collections with data of the client, named by `collectionMember`. */
  readonly collections: ReadonlySet<string>
  /** The confirmed position in each of them, by the same names. */
  readonly positions: ReadonlyMap<string, ReaderPosition>
  /** The last pass that was sent to its end, of each of them. */
  readonly sent: ReadonlyMap<string, SentPass>
}

// Each nonce is a separate member, so that concurrent resets do not overwrite each other.
const NONCE = 'nonce:'

export const ALL_SOURCES = '*'
export const nonceMember = (source: string): string => NONCE + source

/** Returns the nonce of the client's tokens for a source; a reset of the client changes one of its parts. */
export const nonceOf = ({ nonces }: Pick<ClientRecord, 'nonces'>, source: string): string =>
  `${nonces[ALL_SOURCES] ?? ''}.${nonces[source] ?? ''}`

// Separate members too, since many requests record collections concurrently.
const COLLECTION_PREFIX = 'place:'
const SENT_PREFIX = 'sent:'

const nameOf = ({ source, partition }: CollectionId): string => JSON.stringify([source, partition])
const collectionMember = (collection: CollectionId): string => COLLECTION_PREFIX + nameOf(collection)
const sentMember = (collection: CollectionId): string => SENT_PREFIX + nameOf(collection)

export function clientOf({ id, owner = '', value }: RegistryRecord): ClientRecord {
  const nonces = emptyRecord<string>()
  const collections = new Set<string>()
  const positions = new Map<string, ReaderPosition>()
  const sent = new Map<string, SentPass>()
  for (const name in value) {
    if (name.startsWith(NONCE)) nonces[name.slice(NONCE.length)] = value[name] as string
    else if (name.startsWith(COLLECTION_PREFIX)) {
      collections.add(name)
      if (Array.isArray(value[name])) positions.set(name, value[name] as unknown as ReaderPosition)
    } else if (name.startsWith(SENT_PREFIX)) sent.set(name, value[name] as unknown as SentPass)
  }
  return { id, user: owner, nonces, collections, positions, sent }
}

/** Returns the collections with data of a client, including those of sources that are no longer configured. */
export const collectionsOfClient = ({ collections }: Pick<ClientRecord, 'collections'>): readonly CollectionId[] =>
  [...collections].map(member => {
    const [source, partition] = JSON.parse(member.slice(COLLECTION_PREFIX.length)) as [string, string]
    return { source, partition }
  })

/** Records once that a collection has data of a client; called before the data is written. */
export async function recordCollection(
  { registry }: Pick<Store, 'registry'>,
  { id, collections }: Pick<ClientRecord, 'id' | 'collections'>,
  collection: CollectionId,
): Promise<void> {
  const member = collectionMember(collection)
  if (!collections.has(member)) await registry.merge('client', id, { [member]: true })
}

/** True if the collection is recorded as one with data of the client. */
export const recordsCollection = (
  { collections }: Pick<ClientRecord, 'collections'>,
  collection: CollectionId,
): boolean => collections.has(collectionMember(collection))

/** Forgets the position of a client in a collection that it left. Its mutations there remain, and with them the record of the collection. */
export async function leaveCollection(
  { registry }: Pick<Store, 'registry'>,
  { id }: Pick<ClientRecord, 'id'>,
  collection: CollectionId,
): Promise<void> {
  await registry.merge('client', id, { [collectionMember(collection)]: true, [sentMember(collection)]: null })
}

/** What is recorded of a device in a collection. Absent members stay. */
export interface RecordedProgress {
  readonly position?: ReaderPosition | undefined
  /** Null: the device asked again for a pass whose end had been sent. */
  readonly sent?: SentPass | null | undefined
}

/** Records how far a device is, and with its position the collection, in one write. */
export async function recordProgress(
  { registry }: Pick<Store, 'registry'>,
  { id }: Pick<ClientRecord, 'id'>,
  collection: CollectionId,
  { position, sent }: RecordedProgress,
): Promise<void> {
  await registry.merge('client', id, {
    ...(position && { [collectionMember(collection)]: position as unknown as JsonValue }),
    ...(sent !== undefined && { [sentMember(collection)]: sent as unknown as JsonValue }),
  })
}

export const positionIn = (
  { positions }: Pick<ClientRecord, 'positions'>,
  collection: CollectionId,
): ReaderPosition | undefined => positions.get(collectionMember(collection))

export const sentIn = ({ sent }: Pick<ClientRecord, 'sent'>, collection: CollectionId): SentPass | undefined =>
  sent.get(sentMember(collection))

/** Returns the client of a record, if it belongs to the user. Throws otherwise. */
export function ownClient(record: RegistryRecord | undefined, id: string, user: string): ClientRecord {
  if (!record) {
    throw new SyncError(
      'client_not_found',
      `There is no client ${JSON.stringify(id)}. Create one with POST /rc/v1/clients.`,
    )
  }
  if (record.owner === user) return clientOf(record)
  throw new SyncError('not_your_client', 'This client belongs to another user. Create one with POST /rc/v1/clients.')
}

/** Returns the ids of a user's clients, in order. */
export async function clientIdsOf(registry: Store['registry'], user: string): Promise<readonly string[]> {
  const ids: string[] = []
  for (let after: string | undefined; ; ) {
    const page = await registry.list('client', { owner: user, after, limit: 500 })
    for (const { id } of page) ids.push(id)
    after = page.at(-1)?.id
    if (after === undefined) return ids
  }
}
