import type { JobHandler } from '@godwit/store'
import { type Job as BullJob, Worker as BullWorker, DelayedError, type IRedisClient } from 'bullmq'
import type { Keys } from '../keys.js'
import type { JobEnd, JobRecords, JobRun, RedeliveryDelay, Ticket } from './job-records.js'
import type { TicketData, Tickets } from './tickets.js'

/** The dependencies and options of a queue's worker. */
export interface QueueWork {
  readonly client: IRedisClient
  readonly keys: Keys
  readonly records: JobRecords
  readonly tickets: Tickets
  readonly handler: JobHandler
  readonly concurrency: number
  readonly lease: number
  readonly onError: (error: unknown) => void
}

interface RunningJob {
  readonly ending: AbortController
  /** Ends this attempt as `back`. */
  readonly giveBack: () => void
}

/** Milliseconds between checks for tickets of lost workers, unless the lease is shorter. */
const CHECK_INTERVAL = 2000
/** How often a lost worker's ticket may be redelivered. Effectively unlimited: the job record counts attempts. */
const MAX_STALLED = 1e9

/** Does not pause the check for lost tickets after a connection error: BullMQ waits 5 seconds, with a timer that outlives `close`. */
class PromptWorker extends BullWorker<TicketData> {
  protected override checkConnectionError<T>(look: () => Promise<T>): Promise<T | undefined> {
    return super.checkConnectionError(look, 0)
  }
}

/** Runs the jobs of one queue, and redelivers the tickets of jobs that are not finished. */
export class QueueWorker {
  readonly #queue: string
  readonly #work: QueueWork
  readonly #bull: PromptWorker
  readonly #running = new Set<RunningJob>()
  #isClosing = false

  constructor(queue: string, work: QueueWork) {
    const { client, keys, concurrency, lease, onError } = work
    this.#queue = queue
    this.#work = work
    this.#bull = new PromptWorker(keys.queue(queue), (ticket, token) => this.#handle(ticket, token), {
      connection: client,
      prefix: keys.queues,
      concurrency,
      lockDuration: lease,
      stalledInterval: Math.min(lease, CHECK_INTERVAL),
      maxStalledCount: MAX_STALLED,
      runRetryDelay: 1000,
    })
    this.#bull.on('error', onError)
    // This event means that a call to Redis failed; the ticket is redelivered.
    this.#bull.on('failed', (_, error) => onError(error))
  }

  /** Takes no more tickets, and aborts running jobs. Resolves when they have ended. */
  async end(): Promise<void> {
    this.#isClosing = true
    const closed = this.#bull.close()
    for (const { ending } of this.#running) ending.abort()
    await closed
  }

  /** Gives running jobs back to the queue, so that `end` resolves. */
  giveBack(): void {
    for (const { giveBack } of this.#running) giveBack()
  }

  async #handle(bull: BullJob<TicketData>, token: string | undefined): Promise<void> {
    const ticket: Ticket = { queue: this.#queue, ticket: bull.id ?? '', ...bull.data }
    const left = this.#isClosing ? 0 : await this.#beginAndEnd(ticket)
    if (left === undefined) return
    // BullMQ compares with this process's clock. With a clock that lags behind it, the ticket would be redelivered immediately, again and again.
    await bull.moveToDelayed(Date.now() + left, token)
    throw new DelayedError()
  }

  async #beginAndEnd(ticket: Ticket): Promise<RedeliveryDelay> {
    const { records, tickets, lease } = this.#work
    const begun = await records.begin(ticket, lease)
    if (typeof begun !== 'object') return begun
    const { left, parked } = await records.end(begun, await this.#run(begun))
    if (parked) await tickets.hurry(parked)
    return left
  }

  async #run(run: JobRun): Promise<JobEnd> {
    const { handler, records, lease, onError } = this.#work
    const ending = new AbortController()
    const { promise: givenBack, resolve } = Promise.withResolvers<JobEnd>()
    const running: RunningJob = { ending, giveBack: () => resolve({ how: 'back' }) }
    if (this.#isClosing) ending.abort()
    this.#running.add(running)
    const renewing = setInterval(() => {
      records.renew(run, lease).then(isOurs => isOurs || ending.abort(), onError)
    }, lease / 3).unref()
    try {
      const { signal } = ending
      return await Promise.race([endOf(async () => handler(run.job, { signal }), signal), givenBack])
    } finally {
      clearInterval(renewing)
      this.#running.delete(running)
    }
  }
}

const endOf = (work: () => Promise<void>, ending: AbortSignal): Promise<JobEnd> =>
  work().then(
    () => ({ how: 'done' }),
    error =>
      ending.aborted
        ? { how: 'back' }
        : { how: 'failed', reason: error instanceof Error ? error.message : String(error) },
  )
