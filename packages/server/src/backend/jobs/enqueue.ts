import { SyncError, type WriteResult } from '@godwit/protocol'
import { messageOf } from '@godwit/source'
import type { CollectionId } from '@godwit/store'
import type { BackendEngine } from '../backend-engine.js'

/** The data of a job that drains a journal; the work itself is in the journal. */
export interface DrainData {
  readonly source: string
  readonly partition: string
}

/** The data of a job that queries a partition. */
export interface QueryData {
  readonly source: string
  readonly partition: string
  /** The login of the user that the query runs for. */
  readonly user: string
  /** With parameters, the query runs even if it is not due. */
  readonly parameters: { readonly [name: string]: string }
  /** The epoch of the collection when the job was enqueued, so that the job does not recreate a dropped collection. */
  readonly epoch: string
}

/** The data of a job that builds bulk files. */
export interface BuildData {
  /** The login of the user that sources are queried for. */
  readonly user: string
  readonly sources: readonly string[]
  /** The partition, for sources with `by`. */
  readonly parameters?: { readonly [attribute: string]: string | number | boolean }
}

/** The data of a job that pings the users of a partition. */
export interface NotifyData {
  readonly source: string
  readonly partition: string
}

/** Enqueues a job that drains a journal. A lost job does no harm, since the sweep enqueues it again. */
export async function enqueueDrain(
  { jobs, log }: Pick<BackendEngine, 'jobs' | 'log'>,
  queue: string,
  { source, partition }: CollectionId,
): Promise<void> {
  const data = { source, partition } satisfies DrainData
  const id = JSON.stringify(['drain', source, partition])
  await jobs
    .enqueue({ queue, id, kind: 'drain', data, group: id })
    .catch(error => log.error({ source, error: messageOf(error) }, 'could not enqueue a drain; the sweep tries again'))
}

/** Enqueues a query and returns the job's id. With parameters, each client has at most one waiting job, with its latest parameters. */
export async function enqueueQuery(
  { jobs, limits }: Pick<BackendEngine, 'jobs' | 'limits'>,
  queue: string,
  query: QueryData,
  client?: string,
): Promise<string> {
  const { source, partition, user, parameters } = query
  const isGiven = Object.keys(parameters).length > 0
  const id = JSON.stringify(['query', source, partition, ...(isGiven ? [user, client ?? ''] : [])])
  const group = JSON.stringify(['query', source, partition])
  const delay = isGiven ? limits.parameterInterval * 1000 : 0
  await jobs.enqueue({ queue, id, kind: 'query', data: { ...query }, group, delay })
  return id
}

const BULK_QUEUE = 'bulk'

/** Enqueues a build; callers poll for the result. Throws the error of a failed last attempt once, and the next call starts a new build. */
export async function enqueueBulkFile(
  { jobs }: Pick<BackendEngine, 'jobs'>,
  key: string,
  build: BuildData,
): Promise<void> {
  const known = await jobs.get(BULK_QUEUE, key)
  if (known?.state === 'dead') {
    await jobs.cancel(BULK_QUEUE, key)
    throw new SyncError('backend_failed', `Could not build the bulk data: ${known.reason}`)
  }
  if (known === undefined)
    await jobs.enqueue({ queue: BULK_QUEUE, id: key, kind: 'bulk', data: { ...build }, group: key, attempts: 2 })
}

/**
 * Enqueues a ping after a backend's write if the source wants one; writes in quick succession share one. A failure is logged and does not fail the
 * write.
 */
export async function notifyUsers(
  { jobs, sources, limits, log }: Pick<BackendEngine, 'jobs' | 'sources' | 'limits' | 'log'>,
  { source, partition }: CollectionId,
  { changed }: WriteResult,
): Promise<void> {
  if (changed === 0 || !sources.find(source)?.pushNotify) return
  const data = { source, partition } satisfies NotifyData
  const id = JSON.stringify(['notify', source, partition])
  await jobs
    .enqueue({ queue: 'ping', id, kind: 'notify', data, group: id, delay: limits.eventGather })
    .catch(error => log.error({ source, error: messageOf(error) }, 'could not enqueue a ping after a write'))
}
