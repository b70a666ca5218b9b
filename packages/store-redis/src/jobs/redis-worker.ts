import { setTimeout as pause } from 'node:timers/promises'
import { type Worker, within } from '@godwit/store'
import type { RedisHandle } from '../redis-handle.js'
import { type QueueWork, QueueWorker } from './queue-worker.js'

interface ServedQueues extends QueueWork {
  readonly handle: RedisHandle
  /** Undefined for all queues, including new ones. */
  readonly queues: readonly string[] | undefined
}

/** Milliseconds to wait for Redis after running jobs were given back. */
const CLOSE_TIMEOUT = 3000
/** Milliseconds to wait after a failed listing of queues. */
const RETRY_DELAY = 1000

/** Starts a worker for several queues, or for all including those announced later. */
export async function startWorker(serving: ServedQueues): Promise<Worker> {
  const { records, queues, handle, onError } = serving
  const workers = new Map<string, QueueWorker>()
  let closing: Promise<void> | undefined
  const serve = (queue: string): void => {
    if (!closing && !workers.has(queue)) workers.set(queue, new QueueWorker(queue, serving))
  }
  const serveKnownQueues = async (): Promise<void> => (await records.queues()).forEach(serve)
  const lookAgain = async (): Promise<void> => {
    while (!closing) {
      try {
        return await serveKnownQueues()
      } catch (error) {
        onError(error)
        await pause(RETRY_DELAY, undefined, { ref: false })
      }
    }
  }
  const doNothing = async (): Promise<void> => {}
  const end = queues ? doNothing : await handle.subscribe(records.channel, serve, () => void lookAgain())
  if (queues) queues.forEach(serve)
  else await serveKnownQueues()

  const close = async (patience: number): Promise<void> => {
    const all = [...workers.values()]
    const ended = Promise.allSettled([end(), ...all.map(worker => worker.end())])
    await within(ended, patience)
    for (const worker of all) worker.giveBack()
    await within(ended, CLOSE_TIMEOUT)
  }
  return {
    close({ patience = 10_000 } = {}) {
      closing ??= close(patience)
      return closing
    },
  }
}
