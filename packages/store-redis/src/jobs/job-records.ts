import type { JsonValue } from '@godwit/protocol'
import type { Job, JobPage, NewJob } from '@godwit/store'
import { compareIds } from '@godwit/store/history'
import type { RedisConnection } from '../connection.js'
import { pairRange, pairText, type Range } from '../names.js'
import { beginScript, cancelScript, endScript, enqueueScript, forgetQueueScript, renewScript } from '../scripts/jobs.js'

/** A message that tells workers to run a job. A job accepts only the ticket that its record names. */
export interface Ticket extends Pick<Job, 'queue' | 'id' | 'group'> {
  readonly ticket: string
}

/** A job in progress; `run` is the id of this attempt. */
export interface JobRun {
  readonly job: Job
  readonly run: string
}

/** The delay of a ticket: `left` milliseconds after `now`, by Redis' clock. */
export interface TicketDelay {
  readonly left: number
  readonly now: number
}

/** Milliseconds until a ticket is redelivered; undefined if it is no longer valid. */
export type RedeliveryDelay = number | undefined

/** The result of an attempt at a job. `back`: the worker is stopping, and the attempt does not count. */
export type JobEnd =
  | { readonly how: 'done' }
  | { readonly how: 'back' }
  | { readonly how: 'failed'; readonly reason: string }

const MONTH = 30 * 24 * 3_600_000
/** How many names one step of a listing reads. */
const BATCH_SIZE = 500

/** The job records. Each call except `list` and `queues` is one atomic step. */
export class JobRecords {
  readonly #connection: RedisConnection

  constructor(connection: RedisConnection) {
    this.#connection = connection
  }

  /** Adds a job to its queue. Returns the ticket to send for it, and its delay. */
  async enqueue(job: NewJob): Promise<Ticket & TicketDelay> {
    const { queue, id, delay = 0 } = job
    const given = [pairText(queue, id), queue, contentOf(job), delay, this.#connection.randomId(), this.channel]
    const answer = await this.#connection.run(enqueueScript, this.#naming(), given)
    const [ticket, left, now] = answer as [string, number, number]
    return { queue, id, group: job.group, ticket, left, now }
  }

  /** Starts the job of a ticket, or returns the delay after which to redeliver the ticket. */
  async begin(ticket: Ticket, lease: number): Promise<JobRun | RedeliveryDelay> {
    const { queue, id, group } = ticket
    const run = this.#connection.randomId()
    const given = [pairText(queue, id), ticket.ticket, run, lease, MONTH, JSON.stringify(ticket)]
    const ofQueue = this.#connection.keys.ofQueue(queue)
    const answer = await this.#connection.run(beginScript, this.#naming(group), given, ofQueue)
    if (typeof answer === 'string') return { job: jobOf(answer), run }
    return (answer as number | null) ?? undefined
  }

  /** Extends the lease of a run. Returns false if this run no longer has the job. */
  async renew({ job, run }: JobRun, lease: number): Promise<boolean> {
    const given = [pairText(job.queue, job.id), run, lease]
    return (await this.#connection.run(renewScript, this.#naming(), given)) === 1
  }

  /**
   * Ends a run. Returns its ticket's redelivery delay, and a ticket that was waiting for the group; changes nothing if the job belongs to another
   * run.
   */
  async end(
    { job, run }: JobRun,
    ended: JobEnd,
  ): Promise<{ readonly left: RedeliveryDelay; readonly parked: Ticket | undefined }> {
    const given = [pairText(job.queue, job.id), run, ended.how, ended.how === 'failed' ? ended.reason : '']
    const answer = await this.#connection.run(endScript, this.#naming(job.group), given)
    const [left, parked] = answer as [number | null, string | null]
    return { left: left ?? undefined, parked: parked === null ? undefined : (JSON.parse(parked) as Ticket) }
  }

  /** Cancels a job. Returns its ticket, now invalid, or undefined if there was nothing to cancel. */
  async cancel(queue: string, id: string): Promise<string | undefined> {
    const ticket = await this.#connection.run(cancelScript, this.#naming(), [pairText(queue, id)])
    return (ticket as string | null) ?? undefined
  }

  async get(queue: string, id: string): Promise<Job | undefined> {
    const text = await this.#connection.command(this.#naming()('records'), 'HGET', pairText(queue, id))
    return text === null ? undefined : jobOf(text as string)
  }

  async list({ queue, state, after, limit }: JobPage): Promise<readonly Job[]> {
    const naming = this.#naming()
    const found: Job[] = []
    let { min, max } = rangeOf(queue, after)
    while (found.length < limit) {
      const step = ['LIMIT', 0, BATCH_SIZE] as const
      const names = (await this.#connection.command(naming('names'), 'ZRANGEBYLEX', min, max, ...step)) as string[]
      if (names.length === 0) break
      const texts = (await this.#connection.command(naming('records'), 'HMGET', ...names)) as (string | null)[]
      const jobs = texts.flatMap(text => (text === null ? [] : [jobOf(text)]))
      found.push(...jobs.filter(job => (state ?? job.state) === job.state))
      min = `(${names.at(-1)}`
    }
    return found.slice(0, limit)
  }

  /** Lists the queues that have jobs or had one within 30 days. Forgets older ones. */
  async queues(): Promise<readonly string[]> {
    const naming = this.#naming()
    const queues = (await this.#connection.command(naming('queues'), 'ZRANGE', 0, -1)) as string[]
    for (const queue of queues)
      if ((await this.list({ queue, limit: 1 })).length === 0)
        await this.#connection.run(forgetQueueScript, naming, [queue, MONTH])
    return queues
  }

  async clear(): Promise<void> {
    const naming = this.#naming()
    const keys = (['names', 'dead', 'groups', 'queues'] as const).map(naming)
    await this.#connection.command(naming('records'), 'UNLINK', ...keys)
  }

  /** The channel that announces new queues. */
  get channel(): string {
    return this.#connection.keys.newQueues
  }

  #naming(group?: string) {
    return this.#connection.keys.jobs(group)
  }
}

/** The range of names after a job, in one queue or in all. */
function rangeOf(queue: string | undefined, after: JobPage['after']): Range {
  if (after === undefined) return pairRange(queue)
  if (queue === undefined) return { min: `(${pairText(after.queue, after.id)}`, max: '+' }
  const order = compareIds(after.queue, queue)
  if (order === 0) return pairRange(queue, after.id)
  return order < 0 ? pairRange(queue) : { min: '+', max: '-' }
}

/** Encodes a job. Data is nested as JSON text, since Lua would round numbers and turn empty lists into objects. */
function contentOf({ queue, id, kind, data, group, every, attempts = 5, backOff = 1000 }: NewJob): string {
  return JSON.stringify({ queue, id, kind, data: JSON.stringify(data), group, every, limit: attempts, backOff })
}

function jobOf(text: string): Job {
  // Older versions stored jobs without data.
  const { data = 'null', ...record } = JSON.parse(text) as Omit<Job, 'data'> & { readonly data?: string }
  const { queue, id, kind, group, state, attempts, dueAt, reason } = record
  const job = { queue, id, kind, data: JSON.parse(data) as JsonValue, state, attempts, dueAt }
  return { ...job, ...(group !== undefined && { group }), ...(reason !== undefined && { reason }) }
}
