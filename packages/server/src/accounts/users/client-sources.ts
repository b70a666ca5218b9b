import type { ClientSource } from '@godwit/protocol'
import type { CollectionId } from '@godwit/store'
import type { AccountsEngine } from '../accounts-engine.js'
import { collectionsOf } from './client-collections.js'
import { getClient } from './client-info.js'
import { type ClientRecord, clientOf } from './client-record.js'
import { confirmedPosition } from './confirmed-positions.js'

const MAX_QUEUED = 1000
const MAX_OUTCOMES = 100

/** Returns a client's position in each source, its waiting mutations, and the outcomes that it has not acknowledged. */
export async function clientSources(
  engine: Pick<AccountsEngine, 'store' | 'sources'>,
  id: string,
): Promise<readonly ClientSource[]> {
  const client = clientOf(await getClient(engine, id))
  return Promise.all(collectionsOf(engine, client).map(collection => stateOf(engine, client, collection)))
}

/** Counts a client's queued mutations up to `MAX_QUEUED`. */
async function countQueued({ journal }: AccountsEngine['store'], of: CollectionId, client: string): Promise<number> {
  let count = 0
  for (let after: number | undefined; count < MAX_QUEUED; ) {
    const queued = await journal.queued(of, { client, after, limit: MAX_QUEUED - count })
    if (queued.length === 0) break
    count += queued.length
    after = queued.at(-1)?.sequence
  }
  return count
}

async function stateOf(
  { store }: Pick<AccountsEngine, 'store'>,
  client: ClientRecord,
  collection: CollectionId,
): Promise<ClientSource> {
  const [confirmed, head, queued, { outcomes }] = await Promise.all([
    confirmedPosition(store, client, collection),
    store.collections.head(collection),
    countQueued(store, collection, client.id),
    store.journal.outcomes(collection, client.id, { after: 0, limit: MAX_OUTCOMES }),
  ])
  return {
    source: collection.source,
    partition: collection.partition,
    version: confirmed === undefined ? null : confirmed.id === undefined ? confirmed.version : 0,
    recorded_at: confirmed === undefined ? null : new Date(confirmed.at).toISOString(),
    head: head?.version ?? 0,
    queued,
    outcomes: outcomes.map(({ number, status, error }) => ({ number, status, error: error ?? null })),
  }
}
