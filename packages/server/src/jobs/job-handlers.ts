import type { JsonValue, Ping } from '@godwit/protocol'
import type { JobContext } from '@godwit/store'
import { buildBulk } from '../bulk/build-bulk.js'
import type { ServerEngine } from '../engine.js'
import { type NotifyData, pingPartition } from '../ping/notify.js'
import { ping } from '../ping/ping.js'
import { drainCollection } from '../push/drain-collection.js'
import { runQueuedQuery } from '../query/queued-query.js'
import { announceChange } from '../sources/channels.js'
import type { BuildData, DrainData, QueryData } from './enqueue.js'

/** Does what a job says. All may be done twice. */
export type ServerJobHandler = (engine: ServerEngine, data: JsonValue, context: JobContext) => Promise<void>

/** Kind → what does it. */
export const jobHandlers: { readonly [kind: string]: ServerJobHandler } = {
  async drain(engine, data, { signal }) {
    const { source, partition } = data as unknown as DrainData
    const collection = { source, partition }
    const isMoved = await drainCollection(engine, collection, signal)
    // The device that pushed was told `queued`: its outcomes are here now, whether they changed anything or not.
    if (isMoved) await announceChange(engine.store, collection)
  },
  bulk: (engine, data, { signal }) => buildBulk(engine, { ...(data as unknown as BuildData), signal }),
  notify: (engine, data) => pingPartition(engine, data as unknown as NotifyData),
  async ping(engine, data) {
    const { sent, skipped, failed } = await ping(engine, data as unknown as Ping)
    engine.log.info({ sent, skipped: skipped.length, failed: failed.length }, 'a ping was sent')
  },
  query: (engine, data) => runQueuedQuery(engine, data as unknown as QueryData),
}
