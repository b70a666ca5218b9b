import { emptyRecord, SyncError } from '@godwit/protocol'
import type { RegistryRecord, Store } from '@godwit/store'

/** A client (device), as every pull and push names one. */
export interface ClientRecord {
  readonly id: string
  readonly user: string
  /** Source → nonce: another than in a token voids the token. `*` counts for all sources. */
  readonly nonces: { readonly [source: string]: string }
}

// Each nonce is a member of its own, so that two resets at once lose none.
const NONCE = 'nonce:'

export const ALL_SOURCES = '*'
export const nonceMember = (source: string): string => NONCE + source

export function clientOf({ id, owner = '', value }: RegistryRecord): ClientRecord {
  const nonces = emptyRecord<string>()
  for (const name in value) if (name.startsWith(NONCE)) nonces[name.slice(NONCE.length)] = value[name] as string
  return { id, user: owner, nonces }
}

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
