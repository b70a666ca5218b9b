import { emptyRecord, type JsonValue, SyncError } from '@godwit/protocol'
import type { CollectionId, RegistryRecord, Store } from '@godwit/store'

/**
 * What a device has shown that it has of a collection: the nonce and the epoch of the token that the device sent, and in a pass from zero the position. After a
 * finished pass the position is the base of the collection's reader.
 */
export type ReaderPosition = readonly [nonce: string, epoch: string, version?: number, id?: string]

/** A client (device), as every pull and push names one. */
export interface ClientRecord {
  readonly id: string
  readonly user: string
  /** Source → nonce: another than in a token voids the token. `*` counts for all sources. */
  readonly nonces: { readonly [source: string]: string }
  /** Where something is kept for it, as `placeMember` names it. */
  readonly places: ReadonlySet<string>
  /** What it has shown that it has there, by the same names. */
  readonly standings: ReadonlyMap<string, ReaderPosition>
}

// Each nonce is a separate member, so that two resets at once lose none.
const NONCE = 'nonce:'

export const ALL_SOURCES = '*'
export const nonceMember = (source: string): string => NONCE + source

/** What a token bears of its client: a reset of the client changes one of the two. */
export const nonceOf = ({ nonces }: Pick<ClientRecord, 'nonces'>, source: string): string =>
  `${nonces[ALL_SOURCES] ?? ''}.${nonces[source] ?? ''}`

// Members too: places are noted by many requests at once.
const PLACE_PREFIX = 'place:'

const placeMember = ({ source, partition }: CollectionId): string => PLACE_PREFIX + JSON.stringify([source, partition])

export function clientOf({ id, owner = '', value }: RegistryRecord): ClientRecord {
  const nonces = emptyRecord<string>()
  const places = new Set<string>()
  const standings = new Map<string, ReaderPosition>()
  for (const name in value) {
    if (name.startsWith(NONCE)) nonces[name.slice(NONCE.length)] = value[name] as string
    else if (name.startsWith(PLACE_PREFIX)) {
      places.add(name)
      if (Array.isArray(value[name])) standings.set(name, value[name] as unknown as ReaderPosition)
    }
  }
  return { id, user: owner, nonces, places, standings }
}

/** The collections that keep something for a client, those of sources that are configured no more among them. */
export const placesOf = ({ places }: Pick<ClientRecord, 'places'>): readonly CollectionId[] =>
  [...places].map(member => {
    const [source, partition] = JSON.parse(member.slice(PLACE_PREFIX.length)) as [string, string]
    return { source, partition }
  })

/** Before a collection keeps anything for a client: the client's record then tells where, once for each. */
export async function notePlace(
  { registry }: Pick<Store, 'registry'>,
  { id, places }: Pick<ClientRecord, 'id' | 'places'>,
  collection: CollectionId,
): Promise<void> {
  const member = placeMember(collection)
  if (!places.has(member)) await registry.merge('client', id, { [member]: true })
}

/** Notes what a device has shown that it has, and with that the place. */
export async function noteStanding(
  { registry }: Pick<Store, 'registry'>,
  { id }: Pick<ClientRecord, 'id'>,
  collection: CollectionId,
  standing: ReaderPosition,
): Promise<void> {
  await registry.merge('client', id, { [placeMember(collection)]: standing as unknown as JsonValue })
}

export const standingIn = (
  { standings }: Pick<ClientRecord, 'standings'>,
  collection: CollectionId,
): ReaderPosition | undefined => standings.get(placeMember(collection))

/** The client of this id, if it is this user's own. */
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

/** The ids of a user's clients, in order. */
export async function clientIdsOf(registry: Store['registry'], user: string): Promise<readonly string[]> {
  const ids: string[] = []
  for (let after: string | undefined; ; ) {
    const page = await registry.list('client', { owner: user, after, limit: 500 })
    for (const { id } of page) ids.push(id)
    after = page.at(-1)?.id
    if (after === undefined) return ids
  }
}
