import { SyncError } from '@godwit/protocol'
import type { CollectionId } from '@godwit/store'
import type { Engine } from '../engine.js'
import { messageOf } from '../sources/refusal.js'

/** What a job that drains a journal is told. The journal holds what is to be done. */
export interface DrainData {
  readonly source: string
  readonly partition: string
}

/** What a job that queries a partition is told. */
export interface QueryData {
  readonly source: string
  readonly partition: string
  /** The login on whose behalf. */
  readonly user: string
  /** With any, the query runs whether it is due or not. */
  readonly parameters: { readonly [name: string]: string }
  /** Of the collection when it was asked for: one that was dropped since is not brought back. */
  readonly epoch: string
}

/** What a job that makes bulk data is told. */
export interface BuildData {
  /** The login on whose behalf sources are queried. */
  readonly user: string
  readonly sources: readonly string[]
}

/** Enqueues a job that drains a journal. A lost job does no harm: the sweep asks again. */
export async function enqueueDrain(
  { jobs, log }: Pick<Engine, 'jobs' | 'log'>,
  queue: string,
  { source, partition }: CollectionId,
): Promise<void> {
  const data = { source, partition } satisfies DrainData
  const id = JSON.stringify(['drain', source, partition])
  await jobs
    .enqueue({ queue, id, kind: 'drain', data, group: id })
    .catch(error => log.error({ source, error: messageOf(error) }, 'a drain was not enqueued; the sweep tries again'))
}

/** Resolves to the job's id in its queue. With parameters, one of each client waits, with the newest of them. */
export async function enqueueQuery(
  { jobs, limits }: Pick<Engine, 'jobs' | 'limits'>,
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

/** Asks for a build; callers poll. The error of the last attempt is given to the first caller that asks, and the next call starts a new build. */
export async function enqueueBuild({ jobs }: Pick<Engine, 'jobs'>, key: string, build: BuildData): Promise<void> {
  const known = await jobs.get(BULK_QUEUE, key)
  if (known?.state === 'dead') {
    await jobs.cancel(BULK_QUEUE, key)
    throw new SyncError('backend_failed', `The bulk data could not be made: ${known.reason}`)
  }
  if (known === undefined)
    await jobs.enqueue({ queue: BULK_QUEUE, id: key, kind: 'bulk', data: { ...build }, group: key, attempts: 2 })
}
