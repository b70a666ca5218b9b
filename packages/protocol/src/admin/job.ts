import { integer, list, nullable, object, oneOf, optional, type Schema, string } from '../schema.js'

/** Which jobs. */
export interface JobList {
  /** Of this queue alone. */
  readonly queue?: string
  /** Default: of any. */
  readonly state?: 'waiting' | 'running' | 'dead'
  /** Those behind this id. */
  readonly after?: string
  /** Default 100. */
  readonly limit?: number
}

/** Work outside of requests: it waits, runs, or died. What is done is listed no more. */
export interface JobInfo {
  /** Of this job over all queues. */
  readonly id: string
  /** A source's, or `ping`. */
  readonly queue: string
  /** `drain`: the writes of a journal; `query`: a partition; `ping`: a push message; `notify`: pings after a backend's write; `bulk`: a file of a partition. */
  readonly kind: string
  /** `dead`: it failed as often as it may. */
  readonly state: 'waiting' | 'running' | 'dead'
  /** How often it was begun since it was asked for. */
  readonly attempts: number
  /** From when it may run, or when it died; ISO 8601. */
  readonly due_at: string
  /** Why the last attempt failed; null: none did. */
  readonly reason: string | null
  /** Null: it is about none. */
  readonly source: string | null
  /** Whose copy of the source; null: it is about none. */
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
