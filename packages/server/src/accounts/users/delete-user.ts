import { SyncError } from '@godwit/protocol'
import type { CollectionId, Store } from '@godwit/store'
import { collectionOf, userPartition } from '../../backend/sources/partition-of.js'
import { blobScope } from '../../base/blob-scopes.js'
import { documentScope } from '../../base/document-scopes.js'
import { revokeAll } from '../access/credentials.js'
import type { AccountsEngine } from '../accounts-engine.js'
import { clientIdsOf, clientOf } from './client-record.js'
import { forgetClient } from './clients.js'
import { checkOtherAdmin, undoIfNoAdmin } from './last-admin.js'

type DeleteEngine = Pick<AccountsEngine, 'store' | 'sources' | 'activeRequests'>

const MAX_WAIT = 5000

/**
 * Deletes a user: bars it, then removes sessions, tokens, clients, the user's own partitions and the record. After an interruption the user stays
 * barred, and deleting again continues.
 */
export async function deleteUser(engine: DeleteEngine, login: string): Promise<void> {
  const { registry } = engine.store
  const isAdmin = (await registry.get('user', login))?.value['role'] === 'admin'
  if (isAdmin) await checkOtherAdmin(registry, login)
  if (!(await registry.merge('user', login, { barred: true }))) {
    throw new SyncError('user_not_found', `There is no user ${JSON.stringify(login)}.`)
  }
  if (isAdmin) await undoIfNoAdmin(registry, login, { barred: null })
  await revokeAll(engine, login)
  for (const id of await clientIdsOf(registry, login)) {
    const record = await registry.get('client', id)
    if (record) await forgetClient(engine, clientOf(record))
  }
  await registry.deleteOwned('client', login)
  // Requests that started before the bar have opened their collections by then; their later writes name a dropped epoch.
  await engine.activeRequests.settled(login, MAX_WAIT)
  await dropPartitions(engine, login)
  await registry.deleteOwned('refusal', login)
  await registry.delete('user', login)
}

async function dropPartitions({ store, sources }: DeleteEngine, login: string): Promise<void> {
  const own = sources.all().filter(({ partition, methods }) => partition === 'user' && !methods.partitionName)
  const collections = own.map(source => collectionOf(source, login))
  collections.push(...(await listCollections(store, userPartition(login))))
  for (const collection of collections) {
    await store.collections.drop(collection)
    await store.documents.deleteScope(documentScope(collection))
    await store.blobs.removeScope(blobScope(collection))
  }
}

/** Lists the collections of a partition, including those of sources that are no longer configured. */
async function listCollections({ collections }: Store, partition: string): Promise<readonly CollectionId[]> {
  const all: CollectionId[] = []
  for (let after: CollectionId | undefined; ; ) {
    const page = await collections.collections({ partition, after, limit: 500 })
    all.push(...page)
    after = page.at(-1)
    if (after === undefined) return all
  }
}
