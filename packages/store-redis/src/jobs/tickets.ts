import { type IRedisClient, Queue } from 'bullmq'
import type { Keys } from '../keys.js'
import type { Ticket, TicketDelay } from './job-records.js'

/** Milliseconds after which a ticket whose handling failed is handed in again. */
const RETRY_DELAY = 1000

/** It is the record of a job that ends it, not how often its ticket came. */
const TICKET_OPTIONS = {
  attempts: 1e9,
  backoff: { type: 'fixed', delay: RETRY_DELAY },
  removeOnComplete: true,
  removeOnFail: true,
}

/** What BullMQ carries for a job. */
export type TicketData = Pick<Ticket, 'id' | 'group'>

/** Tickets on their way to workers: one queue of BullMQ for each of ours. */
export class Tickets {
  readonly #client: IRedisClient
  readonly #keys: Keys
  readonly #queues = new Map<string, Queue<TicketData>>()
  readonly #onError: (error: unknown) => void

  constructor(client: IRedisClient, keys: Keys, onError: (error: unknown) => void) {
    this.#client = client
    this.#keys = keys
    this.#onError = onError
  }

  /** Does nothing if it is on its way. By the earlier of two clocks: what comes too soon is put off, and what comes late is late. */
  async send({ queue, id, group, ticket }: Ticket, { left, now }: TicketDelay): Promise<void> {
    const options = { ...TICKET_OPTIONS, jobId: ticket, delay: left, timestamp: Math.min(now, Date.now()) }
    await this.#queue(queue).add('job', { id, group }, options)
  }

  /** Lets one that waits for its time go on now, if it does. */
  async hurry({ queue, ticket }: Ticket): Promise<void> {
    await this.#queue(queue)
      .getBackend()
      .promote(ticket)
      .catch(() => undefined)
  }

  /** Takes one back that counts no more; another worker may just find that out by itself. */
  async takeBack({ queue, ticket }: Pick<Ticket, 'queue' | 'ticket'>): Promise<void> {
    await this.#queue(queue)
      .remove(ticket)
      .catch(() => 0)
  }

  /** Takes all back that no worker has. */
  async clear(queue: string): Promise<void> {
    await this.#queue(queue).drain(true)
  }

  async close(): Promise<void> {
    await Promise.all([...this.#queues.values()].map(queue => queue.close()))
  }

  #queue(name: string): Queue<TicketData> {
    const known = this.#queues.get(name)
    if (known) return known
    const queue = new Queue<TicketData>(this.#keys.queue(name), {
      connection: this.#client,
      prefix: this.#keys.queues,
      streams: { events: { maxLen: 10 } },
    })
    queue.on('error', this.#onError)
    this.#queues.set(name, queue)
    return queue
  }
}
