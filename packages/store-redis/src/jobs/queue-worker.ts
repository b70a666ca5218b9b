import type { JobHandler } from '@godwit/store'
import { type Job as BullJob, Worker as BullWorker, DelayedError, type IRedisClient } from 'bullmq'
import type { Keys } from '../keys.js'
import type { JobEnd, JobRecords, JobRun, RedeliveryDelay, Ticket } from './job-records.js'
import type { TicketData, Tickets } from './tickets.js'

/** What a worker of one queue is made of. */
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
  /** Its time is over: it is given back. */
  readonly giveBack: () => void
}

/** How often is looked for tickets of workers that were lost, in milliseconds, if leases are not even shorter. */
const CHECK_INTERVAL = 2000
/** How often a lost worker's ticket may come again: the record counts attempts. */
const MAX_STALLED = 1e9

/** After a lost connection BullMQ pauses its look for lost tickets for 5 s, by a timer that outlives `close`. The next look is soon enough. */
class PromptWorker extends BullWorker<TicketData> {
  protected override checkConnectionError<T>(look: () => Promise<T>): Promise<T | undefined> {
    return super.checkConnectionError(look, 0)
  }
}

/** Works on the jobs of one queue: begins what its tickets stand for, and hands in again what is not over. */
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
    // Only what could not be asked of Redis fails here: the ticket comes again.
    this.#bull.on('failed', (_, error) => onError(error))
  }

  /** Takes nothing more, and tells what runs to end. Resolves when it has. */
  async end(): Promise<void> {
    this.#isClosing = true
    const closed = this.#bull.close()
    for (const { ending } of this.#running) ending.abort()
    await closed
  }

  /** Gives back what still runs, so that `end` resolves. */
  giveBack(): void {
    for (const { giveBack } of this.#running) giveBack()
  }

  async #handle(bull: BullJob<TicketData>, token: string | undefined): Promise<void> {
    const ticket: Ticket = { queue: this.#queue, ticket: bull.id ?? '', ...bull.data }
    const left = this.#isClosing ? 0 : await this.#beginAndEnd(ticket)
    if (left === undefined) return
    // By the clock that BullMQ looks at here: by another, one that is ahead would bring it back at once, again and again.
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
