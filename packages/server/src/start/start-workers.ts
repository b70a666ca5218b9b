import { isSyncError, type JsonValue, type Ping, SyncError } from '@godwit/protocol'
import { messageOf } from '@godwit/source'
import type { Job, JobContext, Worker } from '@godwit/store'
import type { AdminEngine } from '../admin/admin-engine.js'
import { pingPartition } from '../admin/ping/notify.js'
import { ping } from '../admin/ping/ping.js'
import { type AgainData, sendAgain } from '../admin/ping/send-again.js'
import type { BuildData, DrainData, NotifyData, QueryData } from '../backend/jobs/enqueue.js'
import { runQueuedQuery } from '../backend/query/request-query.js'
import { announceChange } from '../backend/sources/channels.js'
import { buildBulk } from '../device/bulk/build-bulk.js'
import { drainCollection } from '../device/push/drain-collection.js'

/** Starts workers for every queue, with `jobConcurrency` jobs of each at once. Undefined: this process runs no jobs. */
export async function startWorkers(engine: AdminEngine): Promise<Worker | undefined> {
  const { jobs, limits, log } = engine
  if (limits.jobConcurrency === 0) return undefined
  return jobs.work((job, context) => perform(engine, job, context), {
    concurrency: limits.jobConcurrency,
    lease: limits.jobLease * 1000,
    onError: error => log.error({ error: messageOf(error) }, 'could not start workers'),
  })
}

async function perform(engine: AdminEngine, job: Job, context: JobContext): Promise<void> {
  const { queue, id, kind, attempts } = job
  try {
    const known = Object.hasOwn(jobHandlers, kind) ? jobHandlers[kind] : undefined
    if (!known)
      throw new SyncError(
        'internal',
        `No worker of this version runs jobs of the kind ${kind}: start the newer version.`,
      )
    await known(engine, job.data, context)
  } catch (error) {
    // The job is released, and another worker starts it again.
    if (context.signal.aborted) throw error
    engine.log.warn({ queue, job: id, kind, attempts, error: messageOf(error) }, 'a job failed')
    const cause = { code: isSyncError(error) ? error.code : 'internal', message: messageOf(error) }
    engine.reporter.report({ kind: 'job_failed', queue, job: kind, attempts, error: cause })
    throw error
  }
}

/** Runs a job. Every handler must be safe to run twice. */
type ServerJobHandler = (engine: AdminEngine, data: JsonValue, context: JobContext) => Promise<void>

/** Job kind → handler. */
const jobHandlers: { readonly [kind: string]: ServerJobHandler } = {
  async drain(engine, data, { signal }) {
    const { source, partition } = data as unknown as DrainData
    const collection = { source, partition }
    const isMoved = await drainCollection(engine, collection, signal)
    // The device that pushed got `queued`: its outcomes are available now, even if no object changed.
    if (isMoved) await announceChange(engine.store, collection)
  },
  bulk: (engine, data, { signal }) => buildBulk(engine, { ...(data as unknown as BuildData), signal }),
  notify: (engine, data) => pingPartition(engine, data as unknown as NotifyData),
  async ping(engine, data) {
    const { sent, skipped, failed, deferred = 0 } = await ping(engine, data as unknown as Ping)
    engine.log.info({ sent, deferred, skipped: skipped.length, failed: failed.length }, 'a ping was sent')
  },
  push: (engine, data) => sendAgain(engine, data as unknown as AgainData),
  query: (engine, data) => runQueuedQuery(engine, data as unknown as QueryData),
}
