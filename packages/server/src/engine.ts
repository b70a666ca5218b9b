import type { Jobs, Store } from '@godwit/store'
import type { ActiveRequests } from './access/active-requests.js'
import type { Authenticate } from './access/authenticate.js'
import type { LoginThrottle } from './access/login-throttle.js'
import type { Passwords } from './access/passwords.js'
import type { Auditor } from './audit/auditor.js'
import type { EventStreams } from './events/event-streams.js'
import type { Log } from './log.js'
import type { LevelReader } from './measure/levels.js'
import type { Metrics } from './measure/metrics.js'
import type { ProcessFigures } from './measure/process-figures.js'
import type { Statistics } from './measure/statistics.js'
import type { Limits } from './options.js'
import type { PushProviders } from './ping/providers/provider.js'
import type { ProcessMemory } from './process-memory.js'
import type { PushLimiter } from './quota/push-limiter.js'
import type { AddressGuard } from './sources/address-guard.js'
import type { PluginBackend } from './sources/plugin-backend.js'
import type { ChangeableSettings, Source } from './sources/source.js'
import type { StoreHealth } from './store-health.js'
import type { Reporter } from './watch/reporter.js'
import type { WatchStreams } from './watch/watch-streams.js'

/** What the verbs choose from: `Pick<Engine, 'store' | 'sources'>`. */
export interface Engine extends ProcessMemory {
  readonly store: Store
  readonly sources: Sources
  /** Work outside of requests. */
  readonly jobs: Jobs
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Random text of 128 bits or more. */
  readonly randomId: () => string
  readonly log: Log
  /** Tells those who watch the server what happens. */
  readonly reporter: Reporter
  /** What is observed for `/metrics`. */
  readonly metrics: Metrics
  readonly limits: Limits
  /** This process, as the holder of leases. */
  readonly holder: string
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal
  /** Who may log in on a device. Undefined: users of the registry with their passwords. */
  readonly authenticate: Authenticate | undefined
}

/** The engine and what the edge needs beside it: handlers get this. */
export interface ServerEngine extends Engine {
  readonly passwords: Passwords
  readonly activeRequests: ActiveRequests
  /** Turns of users to push. */
  readonly pushLimiter: PushLimiter
  /** Which addresses of a backend may be called. */
  readonly addressGuard: AddressGuard
  readonly throttle: LoginThrottle
  /** Serves the sources that were defined without functions. Undefined where none is configured. */
  readonly backend: PluginBackend | undefined
  /** The open event streams of this process. */
  readonly hub: EventStreams
  /** The streams of those who watch the server. */
  readonly watchHub: WatchStreams
  /** Whether the store keeps what a server needs. */
  readonly storeHealth: StoreHealth
  /** Adds to the audit. */
  readonly auditor: Auditor
  /** What the store holds, counted at most every few seconds. */
  readonly levels: Pick<LevelReader, 'read'>
  /** What each process observed. */
  readonly figures: ProcessFigures
  /** What happens here, counted. */
  readonly statistics: Statistics
  /** What carries push messages to devices without an open stream. */
  readonly pushProviders: PushProviders
  /** Who asks for the metrics has to name it. Undefined: anybody may ask. */
  readonly metricsToken: string | undefined
  /** Whom the license names. */
  readonly licensee: string
  /** The reset route may be used. */
  readonly resetAllowed: boolean
  /** The login of the options' admin. */
  readonly adminLogin: string | undefined
  /** Puts into the store what a server needs there: at its start and after a reset. */
  readonly beginStore: () => Promise<void>
  /** Each request is a line of the log. */
  readonly logRequests: boolean
  /** Origins of pages, beside the server's own, that may call with credentials. */
  readonly origins: readonly string[]
  /** `X-Forwarded-Proto` tells whether a request came over https. */
  readonly trustProxy: boolean
}

/** The configured sources with their present settings. */
export interface Sources {
  /** Throws `source_not_found`, naming the source. */
  get(name: string): Source
  find(name: string): Source | undefined
  /** The same, but a source that is not known yet is made and kept where `dynamicSources` allows it. `user`: the login of the device that names it; throws `quota_exceeded` where it made too many. */
  learn(name: string, user?: string): Promise<Source>
  /** Forgets a source that came into being at its first use. Until the next `refresh` it is still known here. */
  forget(name: string): Promise<void>
  /** Sources that were created at their first use and have no stored settings, with the time of that. */
  learnt(): Promise<ReadonlyMap<string, number>>
  /** By priority, then name. */
  all(): readonly Source[]
  /** As they were configured: after a reset. */
  reset(): void
  /** Reloads what other processes changed, reset or created. Runs with every sweep, so that changes are seen everywhere within 5 s. */
  refresh(): Promise<void>
  /** Keeps the settings, which count from then on; resolves to the source with them. */
  change(name: string, change: Partial<ChangeableSettings>): Promise<Source>
}
