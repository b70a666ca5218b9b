import { SyncError } from '@godwit/protocol'
import type { Jobs } from '../jobs.js'
import { EmbeddedWorker } from './embedded-worker.js'
import { enqueue, jobOf } from './job-row.js'
import type { JobTable } from './job-table.js'
import { storedJob } from './stored-job.js'

/** A job engine over a table of this process. Workers are woken for jobs enqueued here, and use timers for the rest. */
export function embeddedJobs(table: JobTable): Jobs {
  const workers = new Set<EmbeddedWorker>()
  const ring = (): void => {
    for (const worker of workers) worker.wake()
  }
  let isOpen = true
  const assertOpen = (): void => {
    if (!isOpen)
      throw new SyncError('store_unavailable', 'The jobs were closed. Open them again.', { retryable: false })
  }
  return {
    async enqueue(job) {
      assertOpen()
      const stored = storedJob(job)
      await table.write(rows => rows.put(enqueue(rows.get(stored.queue, stored.id), stored, table.now())))
      ring()
    },
    async work(handler, options = {}) {
      assertOpen()
      const worker = new EmbeddedWorker(table, handler, options, ring)
      workers.add(worker)
      worker.wake()
      return {
        async close(closing) {
          await worker.close(closing)
          workers.delete(worker)
          // Other workers may take what it gave back.
          ring()
        },
      }
    },
    get: (queue, id) =>
      table.read(rows => {
        const row = rows.get(queue, id)
        return row && jobOf(row)
      }),
    list: page => table.read(rows => rows.page(page).map(jobOf)),
    cancel: (queue, id) =>
      table.write(rows => {
        const row = rows.get(queue, id)
        if (row === undefined || row.state === 'running') return false
        rows.remove(row)
        return true
      }),
    clear: () => table.write(rows => rows.clear()),
    async close() {
      isOpen = false
      await Promise.all([...workers].map(worker => worker.close()))
      workers.clear()
    },
  }
}
