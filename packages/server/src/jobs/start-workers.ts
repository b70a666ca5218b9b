import { isSyncError, SyncError } from '@godwit/protocol'
import type { Job, JobContext, Worker } from '@godwit/store'
import type { ServerEngine } from '../engine.js'
import { messageOf } from '../sources/refusal.js'
import { jobHandlers } from './job-handlers.js'

/** Works on the jobs of every queue, as many of each at once as the limits allow. Undefined: this process works on none. */
export async function startWorkers(engine: ServerEngine): Promise<Worker | undefined> {
  const { jobs, limits, log } = engine
  if (limits.jobConcurrency === 0) return undefined
  return jobs.work((job, context) => perform(engine, job, context), {
    concurrency: limits.jobConcurrency,
    lease: limits.jobLease * 1000,
    onError: error => log.error({ error: messageOf(error) }, 'jobs cannot be worked on'),
  })
}

async function perform(engine: ServerEngine, job: Job, context: JobContext): Promise<void> {
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
    engine.log.warn({ queue, job: id, kind, attempts, error: messageOf(error) }, 'a job failed')
    const cause = { code: isSyncError(error) ? error.code : 'internal', message: messageOf(error) }
    engine.reporter.report({ kind: 'job_failed', queue, job: kind, attempts, error: cause })
    throw error
  }
}
