import { type BulkData, type BulkRequest, emptyRecord, type SourceError, SyncError } from '@godwit/protocol'
import type { CollectionId } from '@godwit/store'
import { type ClientRecord, nonceOf } from '../../accounts/users/client-record.js'
import { enqueueBulkFile } from '../../backend/jobs/enqueue.js'
import { resolvePartition } from '../../backend/partitions/resolve-partition.js'
import { isDue } from '../../backend/query/schedule.js'
import { queryError } from '../../backend/sources/query-error.js'
import { bulkScope } from '../../base/blob-scopes.js'
import type { DeviceEngine } from '../device-engine.js'
import { tokenAt } from '../pull/token.js'
import { type BulkContents, bulkContentsOf } from './bulk-contents.js'
import { type BulkRecord, getBulk } from './bulk-record.js'

/**
 * Returns the file of a device's partitions: an existing one, or one built by a job while the device polls. Devices with the same collections share
 * it.
 */
export async function bulkData(engine: DeviceEngine, client: ClientRecord, request: BulkRequest): Promise<BulkData> {
  const wanted = await bulkContentsOf(engine, client.user, request)
  checkPartition(request, wanted)
  for (const { source } of wanted.parts)
    await resolvePartition(engine, source, { user: client.user, parameters: request.parameters })
  if (wanted.parts.length === 0) return { status: 'nothing' }
  const bulk = await getBulk(engine.store, wanted.key)
  const ticket = readTicket(request.ticket)
  if (bulk === undefined || !(await isCurrent(engine, bulk, wanted, ticket))) {
    await enqueueBulkFile(engine, wanted.key, {
      user: client.user,
      sources: request.sources,
      ...(request.parameters && { parameters: request.parameters }),
    })
    return { status: 'wait', ticket: writeTicket(ticket ?? { at: await engine.store.now(), build: bulk?.build ?? '' }) }
  }
  const missing = await findMissingParts(engine, bulk, wanted)
  if (bulk.hash === '') return { status: 'nothing', ...missing }
  await engine.store.blobs.touch({ scope: bulkScope(wanted.key), name: bulk.hash })
  const { hash, size } = bulk
  const tokens = tokensFor(client, bulk)
  return { status: 'ready', url: urlOf(wanted.key, hash), size, sha256: hash, tokens, ...missing }
}

/** When a device started to wait, by the store's clock in milliseconds since 1970, and the file that was too old for it. */
type BulkWait = Pick<BulkRecord, 'at' | 'build'>

const writeTicket = ({ at, build }: BulkWait): string => `${at}.${build}`

/** Parses a ticket; undefined if it is invalid, so that the wait starts now. */
function readTicket(text = ''): BulkWait | undefined {
  const [, at, build] = /^(\d{1,15})\.(.*)$/.exec(text) ?? []
  return at === undefined || build === undefined ? undefined : { at: Number(at), build }
}

/** Returns what the file lacks: pending sources and source errors. */
async function findMissingParts(
  { store }: DeviceEngine,
  bulk: BulkRecord,
  { parts }: BulkContents,
): Promise<Pick<BulkData, 'pending' | 'source_errors'>> {
  const errors = emptyRecord<SourceError>()
  for (const { collection } of parts) {
    const head = await store.collections.head(collection)
    const error = head && queryError(head)
    if (error !== undefined) errors[collection.source] = error
  }
  const pending = bulk.pending.map(({ source }) => source)
  return {
    ...(pending.length > 0 && { pending }),
    ...(Object.keys(errors).length > 0 && { source_errors: errors }),
  }
}

function checkPartition({ partition_type }: BulkRequest, { parts }: BulkContents): void {
  const others = parts.filter(({ source }) => source.partition !== partition_type).map(({ source }) => source.name)
  if (others.length === 0) return
  const message = `expected sources of the partition type ${partition_type}, got ${others.join(', ')} of another type. Request each type separately.`
  throw new SyncError('value_not_allowed', message)
}

const urlOf = (key: string, hash: string): string => `/rc/v1/app/bulk_data/${key}/${hash}`

function tokensFor(client: ClientRecord, { parts }: BulkRecord): { readonly [source: string]: string } {
  const tokens = emptyRecord<string>()
  for (const { source, epoch, head, mark } of parts)
    tokens[source] = tokenAt({ epoch, head, mark }, nonceOf(client, source))
  return tokens
}

/**
 * True if the file may be served: as long as pulls bring later changes. With bulk_only it must match the sources and be as new as a query that is
 * due; a waiting device gets any file started after its first request.
 */
async function isCurrent(
  engine: DeviceEngine,
  bulk: BulkRecord,
  { key, parts: wanted }: BulkContents,
  ticket: BulkWait | undefined,
): Promise<boolean> {
  const { store, limits } = engine
  const now = await store.now()
  if (bulk.hash !== '' && !(await store.blobs.find({ scope: bulkScope(key), name: bulk.hash }))?.complete) return false
  const standings = await Promise.all(wanted.map(one => comparePart(engine, bulk, one)))
  if (standings.includes('void')) return false
  const isPulled = bulk.hash !== '' && wanted.every(({ source }) => source.syncType === 'incremental')
  if (isPulled && now - bulk.at < limits.bulkLife * 1000) return true
  if (standings.every(standing => standing === 'same')) return true
  return ticket !== undefined && bulk.at >= ticket.at && bulk.build !== ticket.build
}

async function comparePart(
  { store: { collections } }: DeviceEngine,
  { parts, pending }: BulkRecord,
  { source, collection }: BulkContents['parts'][number],
): Promise<'same' | 'older' | 'void'> {
  const head = await collections.head(collection)
  const isIt = (one: CollectionId): boolean =>
    one.source === collection.source && one.partition === collection.partition
  const part = parts.find(isIt)
  if (head === undefined) return 'void'
  if (part === undefined && (!pending.some(isIt) || head.queriedAt !== undefined)) return 'void'
  if (part !== undefined && (head.epoch !== part.epoch || head.floor > part.head)) return 'void'
  if (part !== undefined && head.version !== part.head) return 'older'
  return isDue(source, head) ? 'older' : 'same'
}
