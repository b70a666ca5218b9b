import { boolean, integer, list, nullable, number, object, type Schema, string } from '../schema.js'
import { type PendingRemovals, pendingRemovalsMembers } from './partition.js'

/** A problem that does not stop the server but needs attention. */
export interface Warning {
  /** The subject: `store`, `disk`, `backend`, `sources`, the name of a source, `jobs`, `mutations`. */
  readonly about: string
  /** A description of the problem. */
  readonly says: string
  /** The recommended action. */
  readonly todo: string
}

/** The durations of a route's requests, excluding the time to send the response. */
export interface RequestSummary {
  /** Group and name of the route: `device.pull`, which includes pulls by body. */
  readonly route: string
  /** The number of requests. */
  readonly count: number
  /** Median duration in seconds; like the other percentiles, estimated from a histogram. */
  readonly p50: number
  /** 95th percentile in seconds. */
  readonly p95: number
  /** 99th percentile in seconds. */
  readonly p99: number
}

/** The number of error responses of a route, by code. */
export interface FailureCount {
  /** Group and name of the route: `device.pull`. */
  readonly route: string
  /** The error code. */
  readonly code: string
  /** The number of responses. */
  readonly count: number
}

/** The number of jobs of a queue, by state. */
export interface QueueState {
  /** The queue of a source, or `ping`. */
  readonly queue: string
  /** Jobs that wait for a worker or for their due time. */
  readonly waiting: number
  /** Jobs that a worker is running. */
  readonly running: number
  /** Jobs whose retries all failed. */
  readonly dead: number
}

/** A server process that uses the store. */
export interface ProcessState {
  /** The id of the process. */
  readonly process: string
  /** The software version of the process. */
  readonly version: string
  /** ISO 8601 UTC. */
  readonly started_at: string
  /** Event streams that devices hold open to the process. */
  readonly streams: number
}

/** A partition with removals that are held back. */
export interface PartitionRemovals extends PendingRemovals {
  /** The name of the source. */
  readonly source: string
  /** The partition, such as `user:ada`, or `*` for an app source. */
  readonly partition: string
}

/** The state of the server. Counts of stored data are up to ten seconds old. */
export interface ServerState {
  /** The version of the responding process. */
  readonly version: string
  /** The id of the responding process; several processes may share one store. */
  readonly process: string
  /** Start time of that process, ISO 8601 UTC. */
  readonly started_at: string
  /** Event streams that devices hold open, across all processes. */
  readonly streams: number
  /**
   * The processes that use the store, the responding one first. Figures of the others are up to five seconds old and, after a pause, appear only in
   * the second response.
   */
  readonly processes: readonly ProcessState[]
  /** The store. Null members are unknown. */
  readonly store: {
    readonly bytes: number | null
    /** True if written data survives a restart of the database service. */
    readonly persists: boolean | null
    /** True if the last integrity check of all stored data succeeded. */
    readonly intact: boolean | null
  }
  /** Registered users, including API users. */
  readonly users: number
  /** Registered devices. */
  readonly clients: number
  /** Mutations without an outcome, counted up to 20,000. */
  readonly undecided: { readonly queued: number; readonly started: number; readonly in_doubt: number }
  /** Refused mutations of the last 30 days, at most 200 for each user. */
  readonly refusals: number
  /** Unfinished jobs, counted up to 5,000. */
  readonly jobs: { readonly waiting: number; readonly running: number; readonly dead: number }
  /** Jobs by queue, sorted by name: every queue in which the responding process has seen a job. */
  readonly queues: readonly QueueState[]
  /** Partitions with removals that are held back, by source and partition; the first 100. */
  readonly pending_removals: readonly PartitionRemovals[]
  /** Requests to all processes since the start of each. */
  readonly requests: readonly RequestSummary[]
  /** Error responses of all processes; a console's session check before sign-in is not counted. */
  readonly failures: readonly FailureCount[]
  /** Problems that need attention. */
  readonly warnings: readonly Warning[]
}

const count = integer({ minimum: 0 })
const seconds = number({ minimum: 0 })

export const serverStateSchema: Schema<ServerState> = object<ServerState>({
  version: string(),
  process: string(),
  started_at: string(),
  streams: count,
  processes: list(object<ProcessState>({ process: string(), version: string(), started_at: string(), streams: count })),
  store: object({ bytes: nullable(count), persists: nullable(boolean), intact: nullable(boolean) }),
  users: count,
  clients: count,
  undecided: object({ queued: count, started: count, in_doubt: count }),
  refusals: count,
  jobs: object({ waiting: count, running: count, dead: count }),
  queues: list(object<QueueState>({ queue: string(), waiting: count, running: count, dead: count })),
  pending_removals: list(
    object<PartitionRemovals>({ source: string(), partition: string(), ...pendingRemovalsMembers }),
  ),
  requests: list(object<RequestSummary>({ route: string(), count, p50: seconds, p95: seconds, p99: seconds })),
  failures: list(object<FailureCount>({ route: string(), code: string(), count })),
  warnings: list(object<Warning>({ about: string(), says: string(), todo: string() })),
})
