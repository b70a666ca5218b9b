import { emptyRecord, type JsonValue, SyncError } from '@godwit/protocol'
import type { CollectionId, RegistryRecord, Store } from '@godwit/store'

/**
 * The confirmed position of a device in a collection: nonce and epoch of its token, and during a pass from zero the last row. After a complete pass
 * the position is the base of the collection's reader.
 */
export type ReaderPosition = readonly [nonce: string, epoch: string, version?: number, id?: string]

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

const collectionMember = ({ source, partition }: CollectionId): string =>
  COLLECTION_PREFIX + JSON.stringify([source, partition])

export function clientOf({ id, owner = '', value }: RegistryRecord): ClientRecord {
  const nonces = emptyRecord<string>()
  const collections = new Set<string>()
  const positions = new Map<string, ReaderPosition>()
  for (const name in value) {
    if (name.startsWith(NONCE)) nonces[name.slice(NONCE.length)] = value[name] as string
    else if (name.startsWith(COLLECTION_PREFIX)) {
      collections.add(name)
      if (Array.isArray(value[name])) positions.set(name, value[name] as unknown as ReaderPosition)
    }
  }
  return { id, user: owner, nonces, collections, positions }
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

/** Records the confirmed position of a device, and with it the collection. */
export async function recordPosition(
  { registry }: Pick<Store, 'registry'>,
  { id }: Pick<ClientRecord, 'id'>,
  collection: CollectionId,
  position: ReaderPosition,
): Promise<void> {
  await registry.merge('client', id, { [collectionMember(collection)]: position as unknown as JsonValue })
}

export const positionIn = (
  { positions }: Pick<ClientRecord, 'positions'>,
  collection: CollectionId,
): ReaderPosition | undefined => positions.get(collectionMember(collection))

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
