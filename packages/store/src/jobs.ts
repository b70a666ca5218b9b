import type { JsonValue } from '@godwit/protocol'

/**
 * The state of a job.
 * - `waiting`: for its time, its queue or its group.
 * - `running`: leased by a worker.
 * - `dead`: out of attempts; kept until it is enqueued again, canceled, or a month old.
 */
export type JobState = 'waiting' | 'running' | 'dead'

/** A job to enqueue. The id identifies it within its queue, so that enqueuing it twice yields one job. */
export interface NewJob {
  readonly queue: string
  readonly id: string
  /** Selects the handler in the worker. */
  readonly kind: string
  /** Null for none. Values that JSON cannot represent reject with `value_not_allowed`. */
  readonly data: JsonValue
  /** Jobs of one group run one at a time, over all queues and processes. Default: none. */
  readonly group?: string | undefined
  /** Milliseconds until it is due. Default 0. */
  readonly delay?: number | undefined
  /** Milliseconds from its end until it is due again; a repeated job never becomes dead. Default: it runs once. */
  readonly every?: number | undefined
  /** The maximum number of attempts, including those of lost workers. Default 5. */
  readonly attempts?: number | undefined
  /** Milliseconds before the second attempt; doubled for each further one, up to a minute. Default 1,000. */
  readonly backOff?: number | undefined
}

/** A stored job. */
export interface Job {
  readonly queue: string
  readonly id: string
  readonly kind: string
  readonly data: JsonValue
  readonly group?: string | undefined
  readonly state: JobState
  /** How many attempts were started since it was enqueued or last succeeded. */
  readonly attempts: number
  /** When it is or was due, in milliseconds since 1970. */
  readonly dueAt: number
  /** The error of the last attempt. */
  readonly reason?: string | undefined
}

/** The filter and limit of a listing. */
export interface JobPage {
  readonly queue?: string | undefined
  readonly state?: JobState | undefined
  /** Lists jobs after this one. */
  readonly after?: Pick<Job, 'queue' | 'id'> | undefined
  readonly limit: number
}

/** The signal is aborted when a job should end soon, because its worker is closing or has lost it. */
export interface JobContext {
  readonly signal: AbortSignal
}

/** Runs a job; an error is the reason of the failed attempt. It may run again for work that a lost worker already did. */
export type JobHandler = (job: Job, context: JobContext) => Promise<void>

/** The queues and limits of a worker. */
export interface WorkOptions {
  /** The queues to serve. Default: all, including those created later. */
  readonly queues?: readonly string[] | undefined
  /** The maximum number of running jobs for each queue. Default 8. */
  readonly concurrency?: number | undefined
  /** Milliseconds after which a lost worker's job is given to another. Default 30,000. */
  readonly lease?: number | undefined
  /** Called with errors of the engine, which then retries. Default: none. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** Runs jobs until it is closed. */
export interface Worker {
  /**
   * Takes no more jobs and aborts the signals of running ones. A job that then fails, or has not ended after `patience` milliseconds (default
   * 10,000), returns to the queue, and this attempt does not count.
   */
  close(options?: { readonly patience?: number }): Promise<void>
}

/**
 * Work outside of requests, in an engine beside the store. A job says what to check; data that must not be lost belongs in the store.
 *
 * Laws: a job runs at least once, whatever process dies; an id waits at most once, and one enqueued while it runs, runs again afterwards; a worker
 * that lost a job cannot change it.
 */
export interface Jobs {
  /**
   * Resolves when the job is durable, as far as the engine is. A waiting job of the same id keeps the earlier time and gets the new content; a dead
   * one starts again.
   */
  enqueue(job: NewJob): Promise<void>

  /** Starts a worker. Jobs of a queue are taken in the order of their due times. */
  work(handler: JobHandler, options?: WorkOptions): Promise<Worker>

  get(queue: string, id: string): Promise<Job | undefined>

  /** Lists jobs in order of queue and id. */
  list(page: JobPage): Promise<readonly Job[]>

  /** Removes a waiting or dead job with its repetitions. False if there is none or it is running. */
  cancel(queue: string, id: string): Promise<boolean>

  /** Removes all jobs. Running ones are told to end, and finish. */
  clear(): Promise<void>

  /** Closes its workers. A second call has no effect; `enqueue` and `work` then reject with `store_unavailable`. */
  close(): Promise<void>
}
