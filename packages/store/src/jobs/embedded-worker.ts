import { within } from '../in-time.js'
import type { JobHandler, Worker, WorkOptions } from '../jobs.js'
import { completeJob, correctClock, failAttempt, giveBack, type JobRow, jobOf, takeJob } from './job-row.js'
import type { JobFilter, JobRows, JobTable } from './job-table.js'

const LOST = 'Its worker was lost while it ran.'
const MONTH = 30 * 24 * 3_600_000
/** The longest sleep of a worker in milliseconds: timers have a limit, and clocks may be changed. */
const MAX_SLEEP_MS = 3_600_000
const AFTER_FAILURE = 1000

interface RunningJob {
  readonly row: JobRow
  readonly ending: AbortController
  readonly over: Promise<void>
}

/** Takes jobs while any are due, then sleeps until one is enqueued or the next is due. */
export class EmbeddedWorker implements Worker {
  readonly #table: JobTable
  readonly #handler: JobHandler
  readonly #options: WorkOptions
  readonly #ring: () => void
  readonly #lease: number
  readonly #running = new Set<RunningJob>()
  #sleep: NodeJS.Timeout | undefined
  #renewTimer: NodeJS.Timeout | undefined
  #startingJobs: Promise<void> | undefined
  #lookAgain = false
  #closing: Promise<void> | undefined

  /** `ring` wakes all workers of the table, including this one. */
  constructor(table: JobTable, handler: JobHandler, options: WorkOptions, ring: () => void) {
    this.#table = table
    this.#handler = handler
    this.#options = options
    this.#ring = ring
    this.#lease = options.lease ?? 30_000
  }

  /** Checks for due jobs now. */
  wake(): void {
    if (this.#closing) return
    this.#lookAgain = true
    this.#startingJobs ??= this.#startDueJobs()
      .catch(error => {
        this.#lookAgain = false
        this.#options.onError?.(error)
        this.#sleepFor(AFTER_FAILURE)
      })
      .finally(() => {
        this.#startingJobs = undefined
        // Woken after the last check and before this: check again instead of sleeping.
        if (this.#lookAgain) this.wake()
      })
  }

  close({ patience = 10_000 }: { readonly patience?: number } = {}): Promise<void> {
    this.#closing ??= this.#close(patience)
    return this.#closing
  }

  async #startDueJobs(): Promise<void> {
    clearTimeout(this.#sleep)
    this.#sleep = undefined
    while (!this.#closing) {
      this.#lookAgain = false
      const now = this.#table.now()
      // Uses one time for both reads, so that a job that becomes due between them is not missed.
      const next = await this.#table.read(rows => (this.#hasWork(rows, now) ? now : rows.next(now)))
      if (next === now) await this.#takeOne()
      else if (!this.#lookAgain) return next === undefined ? undefined : this.#sleepFor(next - now)
    }
  }

  /** Checks without writing, since most checks find nothing. */
  #hasWork(rows: JobRows, now: number): boolean {
    return (
      rows.fromClockAhead(now).length > 0 || rows.lost(now).length > 0 || rows.first(this.#filter(now)) !== undefined
    )
  }

  #filter(now: number): JobFilter {
    const counts = new Map<string, number>()
    for (const { row } of this.#running) counts.set(row.queue, (counts.get(row.queue) ?? 0) + 1)
    const { concurrency = 8, queues } = this.#options
    return { now, queues, full: [...counts].filter(([, count]) => count >= concurrency).map(([queue]) => queue) }
  }

  #sleepFor(milliseconds: number): void {
    clearTimeout(this.#sleep)
    this.#sleep = setTimeout(
      () => {
        this.#sleep = undefined
        this.wake()
      },
      Math.min(Math.max(milliseconds, 1), MAX_SLEEP_MS),
    ).unref()
  }

  async #takeOne(): Promise<void> {
    if (this.#closing) return
    const table = this.#table
    const row = await table.writeEarly(rows => {
      const now = table.now()
      rows.forget(now - MONTH)
      for (const ahead of rows.fromClockAhead(now)) rows.put(correctClock(ahead, { now, lease: this.#lease }))
      for (const lost of rows.lost(now)) rows.put(failAttempt(lost, LOST, now))
      const first = rows.first(this.#filter(now))
      if (first === undefined) return undefined
      const row = takeJob(first, table.nextFence(), now + this.#lease)
      rows.put(row)
      return row
    })
    if (row) this.#begin(row)
  }

  #begin(row: JobRow): void {
    const ending = new AbortController()
    if (this.#closing) ending.abort()
    const run = async (): Promise<void> => this.#handler(jobOf(row), { signal: ending.signal })
    const over = run().then(
      () => this.#end(row, (present, now) => completeJob(present, now)),
      error =>
        this.#end(row, (present, now) =>
          ending.signal.aborted ? giveBack(present, now) : failAttempt(present, reasonOf(error), now),
        ),
    )
    const running: RunningJob = { row, ending, over }
    this.#running.add(running)
    this.#renewTimer ??= setInterval(() => this.#renew(), this.#lease / 3).unref()
    void over
      .catch(error => this.#options.onError?.(error))
      .then(() => {
        this.#running.delete(running)
        if (this.#running.size === 0) this.#stopRenewing()
        this.#ring()
      })
  }

  /** Ends a run. Does nothing if the job is no longer this worker's. */
  async #end(row: JobRow, end: (present: JobRow, now: number) => JobRow | undefined): Promise<void> {
    await this.#table.writeEarly(rows => {
      const present = rows.get(row.queue, row.id)
      if (present?.state !== 'running' || present.fence !== row.fence) return
      const next = end(present, this.#table.now())
      if (next) rows.put(next)
      else rows.remove(present)
    })
  }

  #renew(): void {
    for (const { row, ending } of this.#running)
      this.#renewOne(row).then(
        isOurs => isOurs || ending.abort(),
        error => this.#options.onError?.(error),
      )
  }

  #renewOne({ queue, id, fence }: JobRow): Promise<boolean> {
    return this.#table.writeEarly(rows => {
      const present = rows.get(queue, id)
      if (present?.state !== 'running' || present.fence !== fence) return false
      rows.put({ ...present, until: this.#table.now() + this.#lease })
      return true
    })
  }

  #stopRenewing(): void {
    clearInterval(this.#renewTimer)
    this.#renewTimer = undefined
  }

  async #close(patience: number): Promise<void> {
    clearTimeout(this.#sleep)
    for (const { ending } of this.#running) ending.abort()
    // A job that was being taken when the worker closed may still start.
    await this.#startingJobs
    const all = [...this.#running]
    await within(Promise.allSettled(all.map(({ over }) => over)), patience)
    this.#stopRenewing()
    await Promise.all([...this.#running].map(({ row }) => this.#end(row, giveBack)))
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
