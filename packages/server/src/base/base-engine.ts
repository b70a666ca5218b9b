import type { Log } from '@godwit/source'
import type { Jobs, Store } from '@godwit/store'
import type { Limits } from './limits.js'
import type { Reporter } from './reporter.js'
import type { ServerTimers } from './server-timers.js'

/** What every part of a running server may use. Functions take the members that they need: `Pick<BaseEngine, 'store' | 'clock'>`. */
export interface BaseEngine {
  readonly store: Store
  /** Runs work outside of requests. */
  readonly jobs: Jobs
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Random text of 128 bits or more. */
  readonly randomId: () => string
  readonly log: Log
  /** Reports events to watchers of the server. */
  readonly reporter: Reporter
  readonly limits: Limits
  /** The id of this process, as holder of leases. */
  readonly holder: string
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal
  readonly timers: ServerTimers
}
