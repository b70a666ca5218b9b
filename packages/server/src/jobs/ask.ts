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

/** A lost one harms nobody: the sweep asks again. */
export async function askToDrain(
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

/** Resolves to the job's id in its queue. */
export async function askToQuery({ jobs }: Pick<Engine, 'jobs'>, queue: string, query: QueryData): Promise<string> {
  const { source, partition, user, parameters } = query
  const given = Object.keys(parameters).length > 0 ? [user, parameters] : []
  const id = JSON.stringify(['query', source, partition, ...given])
  const group = JSON.stringify(['query', source, partition])
  await jobs.enqueue({ queue, id, kind: 'query', data: { ...query }, group })
  return id
}
