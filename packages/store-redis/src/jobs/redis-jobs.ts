import { SyncError } from '@godwit/protocol'
import type { Jobs, Worker } from '@godwit/store'
import { storedJob } from '@godwit/store/jobs'
import { readAddress } from '../address.js'
import { connect } from '../connect/connect.js'
import { RedisConnection, type RedisStoreOptions } from '../connection.js'
import { asStoreError } from '../failure.js'
import type { RedisHandle } from '../redis-handle.js'
import { queueClient, workerClient } from './bull-client.js'
import { JobRecords } from './job-records.js'
import { startWorker } from './redis-worker.js'
import { Tickets } from './tickets.js'

const CONCURRENCY = 8
const LEASE = 30_000

/** Jobs in Redis, run by every process that calls `work`. `open` is called for each connection: one, and one for each queue that is worked on. */
export async function redisJobs(open: () => Promise<RedisHandle>, options: RedisStoreOptions = {}): Promise<Jobs> {
  const handle = await open()
  const connection = new RedisConnection(handle, options)
  const records = new JobRecords(connection)
  // Errors of sending a ticket already reject the call to `enqueue`.
  const tickets = new Tickets(queueClient(handle, open), connection.keys, () => undefined)
  const client = workerClient(handle, open)
  const workers = new Set<Worker>()
  let closing: Promise<void> | undefined
  const assertOpen = (): void => {
    if (closing)
      throw new SyncError('store_unavailable', 'The jobs were closed. Open them again.', { retryable: false })
  }
  const close = async (): Promise<void> => {
    await Promise.all([...workers].map(worker => worker.close()))
    await tickets.close()
    await handle.close()
  }
  return {
    async enqueue(job) {
      assertOpen()
      const { left, now, ...ticket } = await records.enqueue(storedJob(job))
      await tickets.send(ticket, { left, now }).catch(error => Promise.reject(asStoreError(error)))
    },
    async work(handler, { queues, concurrency = CONCURRENCY, lease = LEASE, onError = () => undefined } = {}) {
      assertOpen()
      const { keys } = connection
      const work = { client, keys, records, tickets, handler, concurrency, lease, onError, queues, handle }
      const worker = await startWorker(work)
      workers.add(worker)
      return {
        async close(closing) {
          await worker.close(closing)
          workers.delete(worker)
        },
      }
    },
    get: (queue, id) => records.get(queue, id),
    list: page => records.list(page),
    async cancel(queue, id) {
      const ticket = await records.cancel(queue, id)
      if (ticket !== undefined) await tickets.takeBack({ queue, ticket })
      return ticket !== undefined
    },
    async clear() {
      const queues = await records.queues()
      await records.clear()
      await Promise.all(queues.map(queue => tickets.clear(queue)))
    },
    close() {
      closing ??= close()
      return closing
    },
  }
}

/** Opens the jobs beside the store at the same address. Rejects as `connectRedisStore` does. */
export function connectRedisJobs(address: string, options: RedisStoreOptions = {}): Promise<Jobs> {
  const read = readAddress(address)
  return redisJobs(() => connect(read), { ...(read.prefix !== undefined && { prefix: read.prefix }), ...options })
}
