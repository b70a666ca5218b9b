import type { JsonValue } from '@godwit/protocol'

/**
 * - `waiting`: for its time, its queue or its group.
 * - `running`: a worker has it; leased.
 * - `dead`: failed as often as it may; it stays until it is enqueued again, canceled, or a month old.
 */
export type JobState = 'waiting' | 'running' | 'dead'

/** A piece of work. Its id names the work within its queue, so that asking for it twice is asking once. */
export interface NewJob {
  readonly queue: string
  readonly id: string
  /** What the worker's handler chooses by. */
  readonly kind: string
  /** Null for none. What JSON does not know rejects with `value_not_allowed`. */
  readonly data: JsonValue
  /** Jobs of one group run one at a time, over all queues and processes. Default: none. */
  readonly group?: string | undefined
  /** Milliseconds until it is due. Default 0. */
  readonly delay?: number | undefined
  /** Milliseconds from its end until it is due again; such a job never dies. Default: it runs once. */
  readonly every?: number | undefined
  /** How often it is begun at most; a worker that was lost counts. Default 5. */
  readonly attempts?: number | undefined
  /** Milliseconds before the second attempt; each further pause is twice as long, up to a minute. Default 1,000. */
  readonly backOff?: number | undefined
}

/** A job as it stands. */
export interface Job {
  readonly queue: string
  readonly id: string
  readonly kind: string
  readonly data: JsonValue
  readonly group?: string | undefined
  readonly state: JobState
  /** How often it was begun since it was enqueued, or since it last went well. */
  readonly attempts: number
  /** When it may run, or began to be due, in milliseconds since 1970. */
  readonly dueAt: number
  /** Why the last attempt failed. */
  readonly reason?: string | undefined
}

/** Which jobs are listed, and how many at most. */
export interface JobPage {
  readonly queue?: string | undefined
  readonly state?: JobState | undefined
  /** Those behind this one. */
  readonly after?: Pick<Job, 'queue' | 'id'> | undefined
  readonly limit: number
}

/** What is aborted when a job should come to an end soon: its worker closes, or lost it. */
export interface JobContext {
  readonly signal: AbortSignal
}

/** Does the work; an error is the reason of the failed attempt. It may be called again for work that a lost worker had done. */
export type JobHandler = (job: Job, context: JobContext) => Promise<void>

/** Which jobs a worker takes, and how many together. */
export interface WorkOptions {
  /** Which queues. Default: every one, also those that come later. */
  readonly queues?: readonly string[] | undefined
  /** Jobs of one queue at once. Default 8. */
  readonly concurrency?: number | undefined
  /** Milliseconds after which the job of a worker that was lost is given to another. Default 30,000. */
  readonly lease?: number | undefined
  /** Called with errors of the engine itself, which then tries again. Default: none. */
  readonly onError?: ((error: unknown) => void) | undefined
}

/** Runs jobs until it is closed. */
export interface Worker {
  /** Takes nothing more and aborts the signals of what runs. What fails then, or has not ended after `patience` milliseconds (default 10,000), is given back: it waits again, and this attempt does not count. */
  close(options?: { readonly patience?: number }): Promise<void>
}

/**
 * Work outside of requests. It stands beside the store: another engine may drive it.
 * A job says what to look at, never what must not be lost: that is in the store.
 *
 * Laws: a job runs at least once, whatever dies meanwhile; an id waits once, and one that is enqueued while it runs, runs after it;
 * what a worker does with a job that it has lost changes nothing here.
 */
export interface Jobs {
  /** Resolves when the job is durable, as far as the engine is. A waiting job of the same id keeps the earlier time and takes the later content; a dead one starts again. */
  enqueue(job: NewJob): Promise<void>

  /** Begins to work. Jobs of a queue are taken in the order in which they are due. */
  work(handler: JobHandler, options?: WorkOptions): Promise<Worker>

  get(queue: string, id: string): Promise<Job | undefined>

  /** In order of queue and id. */
  list(page: JobPage): Promise<readonly Job[]>

  /** Takes one away that waits or is dead, repetitions and all. False: there is none, or it runs. */
  cancel(queue: string, id: string): Promise<boolean>

  /** Takes all away. What runs comes to its end, and is told to. */
  clear(): Promise<void>

  /** Closes its workers. A second call does nothing; `enqueue` and `work` then reject with `store_unavailable`. */
  close(): Promise<void>
}
