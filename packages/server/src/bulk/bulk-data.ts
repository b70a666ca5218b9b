import { type BulkData, type BulkRequest, emptyRecord, SyncError } from '@godwit/protocol'
import type { CollectionId } from '@godwit/store'
import { bulkScope } from '../blobs/scope.js'
import type { Engine } from '../engine.js'
import { askToBuild } from '../jobs/ask.js'
import { tokenAt } from '../pull/token.js'
import { isDue } from '../query/due.js'
import type { Source } from '../sources/source.js'
import { type ClientRecord, nonceOf } from '../users/client-record.js'
import { type BulkRecord, getBulk } from './bulk-record.js'
import { type Wanted, wantedBy } from './wanted.js'

/**
 * How long a file that was just made is given, in milliseconds, although a query is due again, or something changed again: a device that waited for it
 * gets it, however short the poll interval is and however fast its sources change.
 */
const JUST_BUILT = { due: 60_000, changed: 5_000 }

/** The file of a device's partition: as it is, or made by a job while the device waits. Devices that want the same share it. */
export async function bulkData(engine: Engine, client: ClientRecord, request: BulkRequest): Promise<BulkData> {
  const wanted = await wantedBy(engine, client.user, request.sources)
  checkPartition(request, wanted)
  if (wanted.parts.length === 0) return { status: 'nothing' }
  const bulk = await getBulk(engine.store, wanted.key)
  if (bulk === undefined || !(await isCurrent(engine, bulk, wanted))) {
    await askToBuild(engine, wanted.key, { user: client.user, sources: request.sources })
    return { status: 'wait' }
  }
  if (bulk.hash === '') return { status: 'nothing' }
  await engine.store.blobs.touch({ scope: bulkScope(wanted.key), name: bulk.hash })
  const { hash, size } = bulk
  return { status: 'ready', url: urlOf(wanted.key, hash), size, sha256: hash, tokens: tokensFor(client, bulk) }
}

function checkPartition({ partition }: BulkRequest, { parts }: Wanted): void {
  const others = parts.filter(({ source }) => source.partition !== partition).map(({ source }) => source.name)
  if (others.length === 0) return
  const message = `Sources of the partition ${partition} were expected; ${others.join(', ')} have another. Ask for each partition by itself.`
  throw new SyncError('value_not_allowed', message)
}

const urlOf = (key: string, hash: string): string => `/rc/v1/app/bulk_data/${key}/${hash}`

function tokensFor(client: ClientRecord, { parts }: BulkRecord): { readonly [source: string]: string } {
  const tokens = emptyRecord<string>()
  for (const { source, epoch, head, mark } of parts)
    tokens[source] = tokenAt({ epoch, head, mark }, nonceOf(client, source))
  return tokens
}

/** A file goes on as long as pulls can bring what came after it. Where none do (bulk_only), it has to be as the sources are. */
async function isCurrent(
  { store, limits }: Engine,
  bulk: BulkRecord,
  { key, parts: wanted }: Wanted,
): Promise<boolean> {
  const now = await store.now()
  if (bulk.hash !== '' && !(await store.blobs.find({ scope: bulkScope(key), name: bulk.hash }))?.complete) return false
  const standings = await Promise.all(
    wanted.map(({ source, collection }) => standingOf(store, bulk, source, collection, now)),
  )
  if (standings.includes('void')) return false
  const age = now - bulk.at
  const isPulled = bulk.hash !== '' && wanted.every(({ source }) => source.syncType === 'incremental')
  if (isPulled && age < limits.bulkLife * 1000) return true
  if (standings.includes('changed')) return age < JUST_BUILT.changed
  return !standings.includes('due') || age < JUST_BUILT.due
}

async function standingOf(
  { collections }: Engine['store'],
  { parts }: BulkRecord,
  source: Source,
  collection: CollectionId,
  now: number,
): Promise<'same' | 'due' | 'changed' | 'void'> {
  const head = await collections.head(collection)
  const part = parts.find(one => one.source === collection.source && one.partition === collection.partition)
  if (head === undefined || part === undefined || head.epoch !== part.epoch || head.floor > part.head) return 'void'
  if (head.version !== part.head) return 'changed'
  return isDue(source, head, now) ? 'due' : 'same'
}
