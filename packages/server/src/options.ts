import type { Jobs, Store } from '@godwit/store'
import type { Authenticate } from './access/authenticate.js'
import type { Log } from './log.js'
import type { PushProviders } from './ping/providers/provider.js'
import type { Resolve } from './sources/address-guard.js'
import type { BackendOptions } from './sources/plugin-backend.js'
import type { Source } from './sources/source.js'

/** Numbers that an operator may change; every one has a default. */
export interface Limits {
  /** How long a device's session lives, in seconds. Default 30 days. */
  readonly sessionLife: number
  /** How long an API token lives, in seconds. Default 30 days. */
  readonly tokenLife: number
  /** Using an API token extends it. Default false. */
  readonly tokenSliding: boolean
  /** How long `authenticate` may take, in seconds. Default 30. */
  readonly loginWait: number
  /** scrypt's N, a power of two; r is 8 and p is 5. Default 16,384. */
  readonly passwordCost: number
  /** How long a stop waits for answers under way, in seconds. Default 10. */
  readonly stopWait: number
  /** So long of `stopWait` a server that stops still takes requests while `/readyz` says no, so that a load balancer leaves it first, in seconds. Default 0. */
  readonly stopDelay: number
  /** Seconds between heartbeats of event streams. Default 25. */
  readonly eventHeartbeat: number
  /** How often an idle event stream checks its session again, in seconds. Before each event, and when a session ends, it checks at once. Default 300. */
  readonly eventLook: number
  /** How long changes are gathered before event streams tell of them, in milliseconds; where fewer streams are told, one millisecond for each. Between two events of one source lies as long, and from 400 streams on a quarter of a millisecond for each, at most of `eventSpread`. Default 100. */
  readonly eventGather: number
  /** Milliseconds over which devices spread at most that are told the same: one for each stream, up to this. Default 10,000. */
  readonly eventSpread: number
  /** How long a push provider may take for one message, in seconds. Default 10. */
  readonly pushTimeout: number
  /** Seconds after which a client that was not seen no longer holds the floor. Default 60 days. */
  readonly readerLife: number
  /** The least number of seconds between two notes of a client's position. Default 60. */
  readonly readerNote: number
  /** Seconds between sweeps for expired starts, queued mutations and tombstones. Default 5. */
  readonly sweepInterval: number
  /** How long another process must wait for a query whose process was killed, in seconds. Default 10. */
  readonly queryLease: number
  /** The least number of seconds between two queries with parameters of one client, for each source. Default 1. */
  readonly parameterInterval: number
  /** How much longer than a mutation's call may take another process waits for one whose process was killed, in seconds. Default 15. */
  readonly callMargin: number
  /** Seconds between writes of what was counted to the store. Default 5. */
  readonly statisticsInterval: number
  /** How many mutations of one drain run at once; more of a source that answers at once, where none waits for another. Default 8. */
  readonly drainConcurrency: number
  /** Largest blob that a device may send, in bytes. Default 100 MiB. */
  readonly blobBytes: number
  /** Seconds after which a blob that no object names is removed. Default a day. */
  readonly blobLife: number
  /** How many jobs of one queue run at once in this process. 0: none, other processes work. Default 8. */
  readonly jobConcurrency: number
  /** Seconds after which another process takes over the job of a process that was killed. Default 30. */
  readonly jobLease: number
  /** Seconds for which a bulk file is served although its sources have changed: pulls bring the rest. Default an hour. */
  readonly bulkLife: number
  /** How long an idle connection is kept for a next request, in seconds: longer than a proxy in front keeps it, which else sends into one that closes. Default 130. */
  readonly keepAlive: number
  /** How many clients (installed devices) a user may have. One that was not seen for 7 days makes room for a new one. Default 1,000. */
  readonly clientsPerUser: number
  /** How many sessions (logins of devices) a user may have: the one that was not used for the longest time makes room. Default 1,000. */
  readonly sessionsPerUser: number
  /** How many event streams one client may hold open to this process: the oldest makes room. Default 4. */
  readonly streamsPerClient: number
  /** How many pushes of one user are worked on at once in this process; of those over 64 KiB one. Default 4. */
  readonly pushesPerUser: number
  /** How many outcomes of one client and source may be unacknowledged before new mutations are refused. Default 10,000. */
  readonly outcomesPerClient: number
  /** How many bytes of blobs a user may have sent that no change and no object names; each counts 1 KiB more than its size, and one alone always fits. Default 256 MiB. */
  readonly unnamedBlobBytes: number
  /** How many sources that are not configured one user may create, where `dynamicSources` allows it. Default 100. */
  readonly dynamicSourcesPerUser: number
  /** How long a push waits for its mutations before it answers `queued`, in seconds. Default 25. */
  readonly pushWait: number
}

/** The default of each limit of `createSyncServer`, in the units of `Limits`. */
export const DEFAULT_LIMITS: Limits = {
  sessionLife: 30 * 24 * 3600,
  tokenLife: 30 * 24 * 3600,
  tokenSliding: false,
  loginWait: 30,
  passwordCost: 16_384,
  stopWait: 10,
  stopDelay: 0,
  eventHeartbeat: 25,
  eventLook: 300,
  eventGather: 100,
  eventSpread: 10_000,
  pushTimeout: 10,
  readerLife: 60 * 24 * 3600,
  readerNote: 60,
  sweepInterval: 5,
  queryLease: 10,
  parameterInterval: 1,
  callMargin: 15,
  statisticsInterval: 5,
  drainConcurrency: 8,
  blobBytes: 100 * 1024 * 1024,
  blobLife: 24 * 3600,
  jobConcurrency: 8,
  jobLease: 30,
  bulkLife: 3600,
  pushWait: 25,
  keepAlive: 130,
  clientsPerUser: 1000,
  sessionsPerUser: 1000,
  streamsPerClient: 4,
  pushesPerUser: 4,
  outcomesPerClient: 10_000,
  unnamedBlobBytes: 256 * 1024 * 1024,
  dynamicSourcesPerUser: 100,
}

/** A folder of built pages. `index.html` in it is the page of `path`. */
export interface StaticFolder {
  /** Where it is served, like `/console`; `/` is the root, below which every route comes first. */
  readonly path: string
  /** An absolute path of the file system. It is listed once, when the server starts. */
  readonly folder: string
  /** Directives of its content security policy that differ from the strict default: `{ 'script-src': "'self' 'wasm-unsafe-eval'" }`. */
  readonly policy?: { readonly [directive: string]: string }
}

/** What a server is made of. */
export interface SyncServerOptions {
  readonly store: Store
  /** Drives work outside of requests. Default: in memory, so that a restart forgets what was not done; mutations are in the store, and are found again. */
  readonly jobs?: Jobs
  // biome-ignore lint/suspicious/noExplicitAny: a list of sources of different attributes; `Source<A>` is invariant in A
  readonly sources: readonly Source<any>[]
  /** Who may log in on a device. Default: users of the registry with their passwords. */
  readonly authenticate?: Authenticate
  /** Carry pings to devices without an open event stream. Default: none, and such devices are skipped. */
  readonly pushProviders?: PushProviders
  /** Made when no admin exists. Absent: no admin is made. */
  readonly admin?: { readonly login: string; readonly password: string }
  /** Device users that are made when a store begins, and again after a reset. Default: none. */
  readonly users?: readonly { readonly login: string; readonly password: string }[]
  /** `POST /rc/v1/system/reset` may be used. Default false. */
  readonly resetAllowed?: boolean
  /** Whom the license names. Default: a sentence that says that anyone may use it. */
  readonly licensee?: string
  /** `GET /metrics` wants this text as a bearer. Default: anybody may read the metrics. */
  readonly metricsToken?: string
  readonly limits?: Partial<Limits>
  /** The HTTP backend that serves device logins, and sources that were defined without functions. Default: none. */
  readonly backend?: BackendOptions
  /** Whether sources that are not configured are created when they are first pulled, pushed or written to; at most 1,000, and `dynamicSourcesPerUser` for each user. Default false. */
  readonly dynamicSources?: boolean
  /** The plugin backend may have a loopback, private or reserved address. Default false. */
  readonly allowPrivateBackends?: boolean
  /** Looks up names of backends. Default: the resolver of the system. */
  readonly resolveName?: Resolve
  /** Default: nothing is logged. */
  readonly log?: Log
  /** Each request is a line of the log, at level `info`: route, user, client, status, milliseconds and an id that the answer bears as `X-Request-Id`. Default false. */
  readonly logRequests?: boolean
  /** Folders of built pages that the server serves: a console, an app. A browser that opens `/` is led to the first. Default: none. */
  readonly pages?: readonly StaticFolder[]
  /** Origins of pages that may call with credentials. Default: the server's own only. */
  readonly origins?: readonly string[]
  /** A proxy in front ends https and sets `X-Forwarded-Proto`. Default false: that header is not believed. */
  readonly trustProxy?: boolean
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly clock?: () => number
  /** Random text of 128 bits or more. Default: from `node:crypto`. */
  readonly randomId?: () => string
}
