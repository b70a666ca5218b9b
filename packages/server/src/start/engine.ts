import type { ChangeableSettings, Log, PushProviders, Source } from '@godwit/source'
import type { Jobs, Store } from '@godwit/store'
import type { ActiveRequests } from '../accounts/access/active-requests.js'
import type { Authenticate } from '../accounts/access/authenticate.js'
import type { LoginThrottle } from '../accounts/access/login-throttle.js'
import type { Passwords } from '../accounts/access/passwords.js'
import type { PushLimiter } from '../accounts/quota/push-limiter.js'
import type { Auditor } from '../admin/audit/auditor.js'
import type { LevelReader } from '../admin/measure/levels.js'
import type { Metrics } from '../admin/measure/metrics.js'
import type { ProcessFigures } from '../admin/measure/process-figures.js'
import type { Statistics } from '../admin/measure/statistics.js'
import type { StrayErrors } from '../admin/measure/stray-errors.js'
import type { Reporter } from '../admin/watch/reporter.js'
import type { WatchStreams } from '../admin/watch/watch-streams.js'
import type { AddressGuard } from '../backend/sources/address-guard.js'
import type { PluginBackend } from '../backend/sources/plugin-backend.js'
import type { Limits } from '../base/limits.js'
import type { StoreHealth } from '../base/store-health.js'
import type { EventStreams } from '../device/events/event-streams.js'
import type { ProcessMemory } from './process-memory.js'

/** The shared context of all operations, which take the parts that they need: `Pick<Engine, 'store' | 'sources'>`. */
export interface Engine extends ProcessMemory {
  readonly store: Store
  readonly sources: Sources
  /** Runs work outside of requests. */
  readonly jobs: Jobs
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Random text of 128 bits or more. */
  readonly randomId: () => string
  readonly log: Log
  /** Appends to the audit log. */
  readonly auditor: Auditor
  /** Reports events to watchers of the server. */
  readonly reporter: Reporter
  /** The metrics for `/metrics`. */
  readonly metrics: Metrics
  readonly limits: Limits
  /** The id of this process, as holder of leases. */
  readonly holder: string
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal
  /** Decides on device logins. Undefined: users of the registry with their passwords. */
  readonly authenticate: Authenticate | undefined
}

/** The engine with the parts that only handlers use. */
export interface ServerEngine extends Engine {
  readonly passwords: Passwords
  readonly activeRequests: ActiveRequests
  /** Limits concurrent pushes per user. */
  readonly pushLimiter: PushLimiter
  /** Decides which backend addresses may be called. */
  readonly addressGuard: AddressGuard
  readonly throttle: LoginThrottle
  /** The client of the plugin backend, which serves sources without methods where it has an address. */
  readonly backend: PluginBackend
  /** The open event streams of this process. */
  readonly hub: EventStreams
  /** The open watch streams of this process. */
  readonly watchHub: WatchStreams
  /** Checks that the store has what a server needs. */
  readonly storeHealth: StoreHealth
  /** The counts of the store's contents, cached for a few seconds. */
  readonly levels: Pick<LevelReader, 'read'>
  /** The figures of each process. */
  readonly figures: ProcessFigures
  /** Counts and durations of events on this server. */
  readonly statistics: Statistics
  /** Errors that no call caught. */
  readonly strayErrors: StrayErrors
  /** Sends push messages to devices without an open stream. */
  readonly pushProviders: PushProviders
  /** The token required for the metrics. Undefined: none is required. */
  readonly metricsToken: string | undefined
  /** The licensee named in the license. */
  readonly licensee: string
  /** True if the reset route may be used. */
  readonly resetAllowed: boolean
  /** The login of the options' admin. */
  readonly adminLogin: string | undefined
  /** Initialises the store at the server's start and after a reset. */
  readonly beginStore: () => Promise<void>
  /** True if each request is logged. */
  readonly logRequests: boolean
  /** Origins of pages, besides the server's own, that may send credentials. */
  readonly origins: readonly string[]
  /** True if `X-Forwarded-Proto` determines whether a request came over https. */
  readonly trustProxy: boolean
}

/** The configured sources with their present settings. */
export interface Sources {
  /** Throws `source_not_found`, naming the source. */
  get(name: string): Source
  find(name: string): Source | undefined
  /**
   * Like `get`, but creates an unknown source if `dynamicSources` allows it. `user`: the login of the device's user that named it. Throws
   * `quota_exceeded` if that user created too many.
   */
  learn(name: string, user?: string): Promise<Source>
  /** Deletes a dynamic source. It is known in this process until the next `refresh`. */
  forget(name: string): Promise<void>
  /** Dynamic sources without stored settings, with their creation times. */
  learnt(): Promise<ReadonlyMap<string, number>>
  /** By priority, then name. */
  all(): readonly Source[]
  /** Restores the configured sources, after a reset. */
  reset(): void
  /** Reloads changes by other processes. Runs with every sweep, so that changes are seen everywhere within 5 s. */
  refresh(): Promise<void>
  /** Stores the settings, which apply at once; resolves to the changed source. */
  change(name: string, change: Partial<ChangeableSettings>): Promise<Source>
}
