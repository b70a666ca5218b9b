import { integer, list, nullable, object, oneOf, optional, type Schema, string } from '../schema.js'

/** Selects jobs. */
export interface JobList {
  /** Only jobs of this queue. Default: all queues. */
  readonly queue?: string
  /** Only jobs in this state. Default: any state. */
  readonly state?: 'waiting' | 'running' | 'dead'
  /** Returns jobs after this id. */
  readonly after?: string
  /** Default 100. */
  readonly limit?: number
}

/** A background job that is waiting, running or dead. Completed jobs are not listed. */
export interface JobInfo {
  /** Unique across all queues. */
  readonly id: string
  /** The queue of a source, or `ping`. */
  readonly queue: string
  /**
   * `drain`: sends journalled mutations to the source; `query`: queries a partition; `ping`: sends a push message; `notify`: pings after a backend's
   * write; `bulk`: builds a partition's bulk file.
   */
  readonly kind: string
  /** `dead`: all retries failed. */
  readonly state: 'waiting' | 'running' | 'dead'
  /** The number of attempts since the job was enqueued. */
  readonly attempts: number
  /** The earliest time to run, or the time of death if `dead`; ISO 8601. */
  readonly due_at: string
  /** Why the last attempt failed; null if none failed. */
  readonly reason: string | null
  /** The source that the job concerns; null if none. */
  readonly source: string | null
  /** The partition that the job concerns; null if none. */
  readonly partition: string | null
}

const state = oneOf('waiting', 'running', 'dead')

export const jobListSchema: Schema<JobList> = object<JobList>({
  queue: optional(string()),
  state: optional(state),
  after: optional(string()),
  limit: optional(integer({ minimum: 1, maximum: 1000 })),
})

export const jobsSchema: Schema<readonly JobInfo[]> = list(
  object<JobInfo>({
    id: string(),
    queue: string(),
    kind: string(),
    state,
    attempts: integer({ minimum: 0 }),
    due_at: string(),
    reason: nullable(string()),
    source: nullable(string()),
    partition: nullable(string()),
  }),
)
