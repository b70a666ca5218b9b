import { type IRedisClient, Queue } from 'bullmq'
import type { Keys } from '../keys.js'
import type { Ticket, TicketDelay } from './job-records.js'

/** Milliseconds after which a ticket whose handling failed is redelivered. */
const RETRY_DELAY = 1000

/** Attempts are effectively unlimited: the job record decides when a job ends. */
const TICKET_OPTIONS = {
  attempts: 1e9,
  backoff: { type: 'fixed', delay: RETRY_DELAY },
  removeOnComplete: true,
  removeOnFail: true,
}

/** The data of a BullMQ job. */
export type TicketData = Pick<Ticket, 'id' | 'group'>

/** The tickets in transit to workers: one BullMQ queue for each queue of jobs. */
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

  /**
   * Sends a ticket, unless it was already sent. The delay counts from the earlier of Redis' and this process's time: a ticket that arrives early is
   * delayed again.
   */
  async send({ queue, id, group, ticket }: Ticket, { left, now }: TicketDelay): Promise<void> {
    const options = { ...TICKET_OPTIONS, jobId: ticket, delay: left, timestamp: Math.min(now, Date.now()) }
    await this.#queue(queue).add('job', { id, group }, options)
  }

  /** Delivers a delayed ticket now, if it is still delayed. */
  async hurry({ queue, ticket }: Ticket): Promise<void> {
    await this.#queue(queue)
      .getBackend()
      .promote(ticket)
      .catch(() => undefined)
  }

  /** Removes an invalid ticket. Errors are ignored: a worker that has the ticket finds out itself. */
  async takeBack({ queue, ticket }: Pick<Ticket, 'queue' | 'ticket'>): Promise<void> {
    await this.#queue(queue)
      .remove(ticket)
      .catch(() => 0)
  }

  /** Removes all tickets that no worker holds. */
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
