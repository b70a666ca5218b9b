import type { CollectionId, Head } from '@godwit/store'
import type { Engine } from '../engine.js'
import { enqueueQuery, type QueryData } from '../jobs/enqueue.js'
import { pause } from '../pause.js'
import { QUERIED_CHANNEL } from '../sources/channels.js'
import type { QueryRequest } from './query-runs.js'
import { runOrWait, runQuery } from './run-query.js'
import { isDue } from './schedule.js'

/** How often a wait looks whether it missed the hint, in milliseconds. */
const POLL_INTERVAL = 1000

/** Puts a query into its queue; a collection that never was queried is waited for. */
export async function enqueueFirstQuery(engine: Engine, queue: string, run: QueryRequest, head: Head): Promise<void> {
  const { source, collection, user, parameters, client } = run
  const ask = () => enqueueQuery(engine, queue, { ...collection, user, parameters, epoch: head.epoch }, client)
  if (head.queriedAt !== undefined) {
    await ask()
    return
  }
  const queried = await hint(engine, collection, head.epoch)
  try {
    const id = await ask()
    const seconds = source.queryTimeout * (source.retryLimit + 1)
    await Promise.race([queried.told, jobOver(engine, queue, { id, seconds, told: queried.told })])
  } finally {
    await queried.end()
  }
}

/** Tells when a query of the collection is over. One of the same name that was dropped before may still be at its own: that brought nothing here. */
async function hint({ store }: Engine, { source, partition }: CollectionId, epoch: string) {
  const { promise: told, resolve } = Promise.withResolvers<void>()
  const end = await store.events.subscribe(QUERIED_CHANNEL, event => {
    const queried = event as { readonly source?: unknown; readonly partition?: unknown; readonly epoch?: unknown }
    if (queried.source === source && queried.partition === partition && queried.epoch === epoch) resolve()
  })
  return { told, end }
}

interface QueuedQueryWait {
  readonly id: string
  /** How long at most. */
  readonly seconds: number
  readonly told: Promise<void>
}

/** A hint may be lost, a queue may have no workers. */
async function jobOver(
  { jobs, stopping }: Engine,
  queue: string,
  { id, seconds, told }: QueuedQueryWait,
): Promise<void> {
  let isTold = false
  void told.then(() => {
    isTold = true
  })
  for (let left = seconds * 1000; left > 0 && !isTold && !stopping.aborted; left -= POLL_INTERVAL) {
    await pause(POLL_INTERVAL, stopping)
    const job = await jobs.get(queue, id)
    if (job === undefined || job.state === 'dead') return
  }
}

/** The query that a pull put into a queue. Nothing is to be done where it is due no more, or its collection was dropped meanwhile. */
export async function runQueuedQuery(
  engine: Engine,
  { parameters, user, epoch, ...collection }: QueryData,
): Promise<void> {
  const source = engine.sources.find(collection.source)
  const head = await engine.store.collections.head(collection)
  const isAsked = Object.keys(parameters).length > 0
  if (source?.methods.query && head?.epoch === epoch && (isAsked || isDue(source, head, engine.clock()))) {
    await runOrWait(engine, collection, () => runQuery(engine, { source, collection, user, parameters, epoch }))
  }
  await engine.store.events.publish(QUERIED_CHANNEL, { ...collection, epoch })
}
