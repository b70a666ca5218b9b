import type { GuardedFetch, PushProviders } from '@godwit/source'
import type { ActiveRequests } from '../accounts/access/active-requests.js'
import type { PluginBackend } from '../backend/sources/plugin-backend.js'
import type { KeyedQueue } from '../base/keyed-queue.js'
import type { StoreHealth } from '../base/store-health.js'
import type { DeviceEngine } from '../device/device-engine.js'
import type { EventStreams } from '../device/events/event-streams.js'
import type { LevelReader } from './measure/levels.js'
import type { Metrics } from './measure/metrics.js'
import type { ProcessFigures } from './measure/process-figures.js'
import type { Statistics } from './measure/statistics.js'
import type { StrayErrors } from './measure/stray-errors.js'
import type { PingPeers } from './ping/ping-peers.js'
import type { WatchStreams } from './watch/watch-streams.js'

/** What sending push messages needs beside the providers. */
export interface PushMeans {
  /** Orders the messages of each client. */
  readonly queue: KeyedQueue
  /** Requests addresses that devices choose. */
  readonly fetch: GuardedFetch
  /** The text that is shown in place of silent messages for which a platform has no room. Empty: none is sent. */
  readonly fallback: string
}

/** What operators use. */
export interface AdminEngine extends DeviceEngine {
  readonly metrics: DeviceEngine['metrics'] & Pick<Metrics, 'pushMessages'>
  readonly backend: PluginBackend
  readonly activeRequests: ActiveRequests
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
  readonly pushes: PushMeans
  /** Reaches the event streams of other processes. */
  readonly pingPeers: PingPeers
  /** True if the reset route may be used. */
  readonly resetAllowed: boolean
  /** The login of the options' admin. */
  readonly adminLogin: string | undefined
  /** Initialises the store at the server's start and after a reset. */
  readonly beginStore: () => Promise<void>
}
