import { boolean, integer, list, nullable, number, object, type Schema, string } from '../schema.js'

/** Something that works, but not as it should. */
export interface Warning {
  /** What it is about: `store`, `disk`, `backend`, `sources`, the name of a source, `jobs`, `mutations`. */
  readonly about: string
  /** What was found. */
  readonly says: string
  /** What to do. */
  readonly todo: string
}

/** How long the requests of a route took, without sending the answer. */
export interface RequestSummary {
  /** Group and name: `device.pull`, which counts pulls by body too. */
  readonly route: string
  /** How many there were. */
  readonly count: number
  /** Seconds within which half of them were done; estimated, like the others, from counts of durations. */
  readonly p50: number
  /** Seconds within which 95 of 100 were done. */
  readonly p95: number
  /** Seconds within which 99 of 100 were done. */
  readonly p99: number
}

/** How often a route answered with an error. */
export interface FailureCount {
  /** Group and name: `device.pull`. */
  readonly route: string
  /** Of the error. */
  readonly code: string
  /** How many there were. */
  readonly count: number
}

/** How many jobs of a queue are in each state. */
export interface QueueState {
  /** A source's, or `ping`. */
  readonly queue: string
  /** Those that wait for a worker or their time. */
  readonly waiting: number
  /** Those that a worker runs. */
  readonly running: number
  /** Those that failed as often as they may. */
  readonly dead: number
}

/** A process that serves the store. */
export interface ProcessState {
  /** Names the process. */
  readonly process: string
  /** Of the software that it runs. */
  readonly version: string
  /** ISO 8601 UTC. */
  readonly started_at: string
  /** Event streams that devices hold open to it. */
  readonly streams: number
}

/** How the server is. Counts of what the store holds are up to ten seconds old. */
export interface ServerState {
  /** Of the process that answers. */
  readonly version: string
  /** The process that answers; several may serve one store. */
  readonly process: string
  /** When that process started, ISO 8601 UTC. */
  readonly started_at: string
  /** Event streams that devices hold open, over all processes. */
  readonly streams: number
  /** The processes that serve the store, the one that answers first. Figures of the others are up to five seconds old, and come with the second request after a pause. */
  readonly processes: readonly ProcessState[]
  /** The store; null: it cannot tell. */
  readonly store: {
    readonly bytes: number | null
    /** Whether what was written outlives a restart of the service behind it. */
    readonly persists: boolean | null
    /** Whether the last look at all that is kept found it whole. */
    readonly intact: boolean | null
  }
  /** Users on record, API users included. */
  readonly users: number
  /** Devices on record. */
  readonly clients: number
  /** Mutations without an outcome; 20,000 are counted at most. */
  readonly undecided: { readonly queued: number; readonly started: number; readonly in_doubt: number }
  /** Refused mutations on record: of the last 30 days, at most 200 of each user. */
  readonly refusals: number
  /** Jobs that are not done; 5,000 are counted at most. */
  readonly jobs: { readonly waiting: number; readonly running: number; readonly dead: number }
  /** The same by queue: every queue in which the process that answers has seen a job, by name. */
  readonly queues: readonly QueueState[]
  /** What these processes were asked since each of them started. */
  readonly requests: readonly RequestSummary[]
  /** What they answered with an error; a console that asks who is signed in before anybody is does not count. */
  readonly failures: readonly FailureCount[]
  /** What should be looked after. */
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
  requests: list(object<RequestSummary>({ route: string(), count, p50: seconds, p95: seconds, p99: seconds })),
  failures: list(object<FailureCount>({ route: string(), code: string(), count })),
  warnings: list(object<Warning>({ about: string(), says: string(), todo: string() })),
})
