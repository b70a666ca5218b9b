import type { CollectionId, Head } from '@godwit/store'
import type { Engine } from '../engine.js'
import { enqueueQuery } from '../jobs/enqueue.js'
import { pause } from '../pause.js'
import { QUERIED_CHANNEL } from '../sources/channels.js'
import type { AskedQuery } from './asked-query.js'

/** How often a wait looks whether it missed the hint, in milliseconds. */
const LOOK = 1000

/** Puts a query into its queue; a collection that never was queried is waited for. */
export async function queuedQuery(engine: Engine, queue: string, run: AskedQuery, head: Head): Promise<void> {
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
  for (let left = seconds * 1000; left > 0 && !isTold && !stopping.aborted; left -= LOOK) {
    await pause(LOOK, stopping)
    const job = await jobs.get(queue, id)
    if (job === undefined || job.state === 'dead') return
  }
}
