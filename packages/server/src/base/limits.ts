/** Numeric limits that an operator may change; each has a default. */
export interface Limits {
  /** Lifetime of a device's session, in seconds. Default 30 days. */
  readonly sessionLife: number
  /** Lifetime of an API token, in seconds. Default 30 days. */
  readonly tokenLife: number
  /** Whether use of an API token extends it. Default false. */
  readonly tokenSliding: boolean
  /** Time-out of `authenticate`, in seconds. Default 30. */
  readonly loginWait: number
  /** The N of scrypt for new password hashes, a power of two; r is 8 and p is 3. Stored hashes keep theirs. Default 32,768. */
  readonly passwordCost: number
  /** How long a stop waits for requests in progress, in seconds. Default 10. */
  readonly stopWait: number
  /**
   * The part of `stopWait`, in seconds, during which a stopping server still accepts requests while `/readyz` fails, so that a load balancer removes
   * it first. Default 0.
   */
  readonly stopDelay: number
  /** Seconds between heartbeats of event streams. Default 25. */
  readonly eventHeartbeat: number
  /** Seconds between session checks of an idle event stream; it also checks before each event and when a session ends. Default 300. */
  readonly eventLook: number
  /**
   * Milliseconds for which changes are collected before an event is sent, at most one per listening stream; also the minimum between two events of a
   * source. From 400 streams on that minimum is a quarter of a millisecond per stream, at most a quarter of `eventSpread`. Default 100.
   */
  readonly eventGather: number
  /** The most milliseconds over which notified devices spread their pulls: one per stream, up to this. Default 10,000. */
  readonly eventSpread: number
  /** Time-out of a push provider for one message, in seconds. Default 10. */
  readonly pushTimeout: number
  /** Seconds after which an inactive client no longer holds the floor. Default 60 days. */
  readonly readerLife: number
  /** Minimum seconds between two records of a client's position. Default 60. */
  readonly positionInterval: number
  /** Seconds between sweeps for expired calls, queued mutations and tombstones. Default 5. */
  readonly sweepInterval: number
  /** Lease of a query, in seconds: how long other processes wait if its process is killed. Default 10. */
  readonly queryLease: number
  /** Seconds without a heartbeat after which a feed counts as stale. Default 30. */
  readonly feedSilence: number
  /** Seconds for which queries must agree on removing too many objects of a user's partition before these are removed. Default 60. */
  readonly confirmRemovals: number
  /** The number of concurrent queries per source that this process runs by itself: for listening devices, and to confirm removals. Default 8. */
  readonly pollConcurrency: number
  /** Minimum seconds between two queries with parameters by one client, per source. Default 1. */
  readonly parameterInterval: number
  /** Seconds beyond the time-out of a mutation's call after which another process takes it over. Default 15. */
  readonly callMargin: number
  /** Seconds between writes of statistics to the store. Default 5. */
  readonly statisticsInterval: number
  /** The number of concurrent mutations of one drain; more for a source that answers at once over a store that waits. Default 8. */
  readonly drainConcurrency: number
  /** Largest blob that a device may send, in bytes. Default 100 MiB. */
  readonly blobBytes: number
  /** Seconds after which a blob that no object names is removed. Default a day. */
  readonly blobLife: number
  /** The number of concurrent jobs per queue in this process. 0: none, and other processes run them. Default 8. */
  readonly jobConcurrency: number
  /** Lease of a job, in seconds: when another process takes over if its process is killed. Default 30. */
  readonly jobLease: number
  /** Seconds for which a bulk file is served after its sources changed; pulls bring the rest. Default an hour. */
  readonly bulkLife: number
  /**
   * Seconds for which an idle connection is kept open; longer than a proxy in front keeps it, which could otherwise send a request into a closing
   * one. Default 130.
   */
  readonly keepAlive: number
  /** The number of clients (installed devices) per user. One that was inactive for 7 days makes room for a new one. Default 1,000. */
  readonly clientsPerUser: number
  /** The number of sessions (logins of devices) per user; one more ends the one that was inactive the longest. Default 1,000. */
  readonly sessionsPerUser: number
  /** The number of event streams per client in this process; one more closes the oldest. Default 4. */
  readonly streamsPerClient: number
  /** The number of concurrent pushes per user in this process; only one of those over 64 KiB. Default 4. */
  readonly pushesPerUser: number
  /** The number of unacknowledged outcomes per client and source, above which new mutations are refused. Default 10,000. */
  readonly outcomesPerClient: number
  /**
   * Bytes of blobs that a user may have sent without a change or object that names them; each counts 1 KiB more than its size, and a single one
   * always fits. Default 256 MiB.
   */
  readonly unnamedBlobBytes: number
  /** The number of sources that one user may create with `dynamicSources`. Default 100. */
  readonly dynamicSourcesPerUser: number
  /** The number of partitions of one source with `by` that a client may hold; pulls of further ones are refused. Default 1,000. */
  readonly partitionsPerClient: number
  /** Seconds for which the server remembers that a user may see a partition of a source with `by`; 0 asks at each request. Default 10. */
  readonly allowCache: number
  /** How long a push waits for its mutations before it returns `queued`, in seconds. Default 25. */
  readonly pushWait: number
}

/** The default of each limit of `createSyncServer`, in the units of `Limits`. */
export const DEFAULT_LIMITS: Limits = {
  sessionLife: 30 * 24 * 3600,
  tokenLife: 30 * 24 * 3600,
  tokenSliding: false,
  loginWait: 30,
  passwordCost: 32_768,
  stopWait: 10,
  stopDelay: 0,
  eventHeartbeat: 25,
  eventLook: 300,
  eventGather: 100,
  eventSpread: 10_000,
  pushTimeout: 10,
  readerLife: 60 * 24 * 3600,
  positionInterval: 60,
  sweepInterval: 5,
  queryLease: 10,
  feedSilence: 30,
  confirmRemovals: 60,
  pollConcurrency: 8,
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
  partitionsPerClient: 1000,
  allowCache: 10,
}
