import { canSend } from '../copies/route-entry.js'
import { checkRelease, keepRelease } from '../database/app-release.js'
import { checkLayout } from '../database/check-layout.js'
import { DeviceDatabase } from '../database/database.js'
import { IdleDetector } from '../database/idle-detector.js'
import { type OpenModel, OpenModels } from '../database/open-models.js'
import { makeSystemTables } from '../database/system-tables.js'
import { EventStream } from '../events/event-stream.js'
import { Events, errorFacts } from '../events/sdk-events.js'
import { checkServer } from '../http/server-address.js'
import { Transport } from '../http/transport.js'
import type { DeviceFiles } from '../platform/device-files.js'
import type { Drive } from '../platform/driver.js'
import type { HttpAnswer, SendRequest } from '../platform/http-response.js'
import { platformTimers, type Timers } from '../platform/timers.js'
import { platformNetwork, type WatchNetwork } from '../platform/watch-network.js'
import { checkTimeLimit } from '../query/time-limit.js'
import { idMaker, keyMaker, type Random, shareMaker } from '../records/new-id.js'
import { StoredCallRecords } from '../records/stored-call-records.js'
import { Session } from '../run/device-session.js'
import { type Credentials, SignIn } from '../run/sign-in.js'
import { errorOf } from '../run/source-failure.js'
import type { SyncContext } from '../run/sync-context.js'
import { Automatic } from '../schedule/automatic.js'
import { eventHandler } from '../schedule/event-handler.js'
import { Runner } from '../sync/runner.js'
import { definitionOf } from '../typed/define-model.js'
import type { Models as AppModels, Model } from '../typed/infer.js'
import { type CheckedModels, openModels } from '../typed/typed-models.js'
import { LocalDevice } from './local-device.js'
import type { SdkParts } from './parts.js'
import { Sdk } from './sdk.js'

/** Options of every platform's `openSdk`. */
export interface SdkOptions<Ms = Record<never, never>> {
  /** `https://host:port` of the sync server. Default: none, for models that do not sync. */
  readonly server?: string | undefined
  /** Typed models, available as `sdk.models`. */
  readonly models?: CheckedModels<Ms>
  /**
   * Release number of the app. The device stores the highest one and rejects lower ones with `reload_needed` before it changes anything. Default: not
   * stored or checked.
   */
  readonly release?: number
  /**
   * Returns a token of the app's identity provider, which the device exchanges for a session: called by `login()`, before the session ends, and after the
   * server has ended it; never to read or write. Default: none, and the app logs in with passwords or tokens by itself.
   */
  readonly credentials?: Credentials
  /** Default: the platform's. */
  readonly fetch?: typeof fetch
  /** Returns the time in milliseconds since 1970. Default: Date.now. */
  readonly clock?: () => number
  /** Fills an array with random bytes. Default: crypto.getRandomValues. */
  readonly random?: Random
  /** Timeout of one request in milliseconds. Default: 120,000. */
  readonly timeoutMilliseconds?: number
  /**
   * Time limit in milliseconds for SELECTs of the app and queries with SQL conditions, which then fail with `sql_timeout`. They stop between rows; in
   * the browser also before the first row. Default: no limit.
   */
  readonly sqlTimeoutMilliseconds?: number
  /** Opens an event stream while a user is logged in and pollInterval is not 0, so that changes arrive immediately. Default: true. */
  readonly eventStream?: boolean
  /**
   * When writes are sent. Default `at-once`: after 20 ms, then at most once a second for each model. `with-sync`, for metered networks: with the next
   * sync.
   */
  readonly sendWrites?: 'at-once' | 'with-sync'
  /** Reports when the network is available again. Default: the platform's event `online`, if there is one. */
  readonly network?: WatchNetwork
  /** Default: setTimeout, without keeping the process alive. */
  readonly timers?: Timers
}

/** What a platform provides in addition to its drive. */
export interface Platform {
  /** Fetches responses that are read completely, with less memory than fetch. Default: fetch. */
  readonly whole?: SendRequest<HttpAnswer>
  /** Fetches files. Default: the platform's. */
  readonly fetch?: typeof fetch
  /** Fetches long-lived responses without keeping the process alive. Default: fetch. */
  readonly stream?: typeof fetch
  /** Requests pages by POST, as browsers need for a server of another origin. Default: false. */
  readonly pullsByBody?: boolean
  /** Keeps the process alive until the returned function is called, because requests do not. Default: not needed. */
  readonly hold?: () => () => void
  /** Stores blobs and downloaded bulk data. Default: none, and models cannot store blobs. */
  readonly files?: DeviceFiles
  /** Rows per page; each page is stored in one transaction. Default: 2000. */
  readonly pageSize?: number
  /** Resolves to true while the disk has room only for sending changes; pulls then wait. Default: never. */
  readonly isFull?: () => Promise<boolean>
}

const ROWS_PER_PAGE = 2000
const BULK_THRESHOLD_ROWS = 20_000
const TIMEOUT_MILLISECONDS = 120_000

/** Opens a device on a given drive: for SQLite libraries other than those of Node and browsers, and for tests. */
export const openSdkOn = <const Ms extends AppModels<Ms> = Record<never, never>>(
  drive: Drive,
  options: SdkOptions<Ms>,
  platform?: Platform,
): Sdk<Ms> => new Sdk(composeSdk(drive, options, platform))

/** Opens a device on a drive and creates the components of its SDK. */
export function composeSdk<Ms extends AppModels<Ms>>(
  drive: Drive,
  options: SdkOptions<Ms>,
  platform: Platform = {},
): SdkParts<Ms> {
  checkWhere(options)
  const clock = options.clock ?? Date.now
  const random = options.random ?? (bytes => void crypto.getRandomValues(bytes))
  const { release, sqlTimeoutMilliseconds } = options
  checkTimeLimit('sqlTimeoutMilliseconds', sqlTimeoutMilliseconds)
  const database = openDatabase(drive, release, sqlTimeoutMilliseconds)
  makeSystemTables(database)
  if (release !== undefined) keepRelease(database, release)
  if (database.rests) database.listen(new IdleDetector(options.timers ?? platformTimers, () => database.rest()))
  const models = new OpenModels(database)
  const session = new Session(database, models)
  session.claim()
  const events = new Events(models.live.callbacks)
  models.live.trace.emit = event => events.emit(event)
  const { timers = platformTimers } = options
  models.live.timer = (run, milliseconds) => timers.set(run, milliseconds)
  models.live.failed = (source, error) => events.emit({ kind: 'error', source, error: errorFacts(error) })
  const settings = {
    pageSize: platform.pageSize ?? ROWS_PER_PAGE,
    bulkThreshold: BULK_THRESHOLD_ROWS,
    watchesObjects: false,
  }
  const fetching: typeof fetch = options.fetch ?? platform.fetch ?? ((input, init) => fetch(input, init))
  const transport = new Transport({
    server: options.server,
    fetch: fetching,
    whole: (options.fetch ? undefined : platform.whole) ?? fetching,
    stream: (options.fetch ? undefined : platform.stream) ?? fetching,
    pullsByBody: platform.pullsByBody,
    trace: models.live.trace,
    timeoutMilliseconds: options.timeoutMilliseconds ?? TIMEOUT_MILLISECONDS,
  })
  const signIn = new SignIn({ credentials: options.credentials, session, transport, events, now: clock })
  const context: SyncContext = {
    database,
    models,
    session,
    signIn,
    transport,
    events,
    files: platform.files,
    isFull: platform.isFull ?? (async () => false),
    drive,
    busy: new Map(),
    totals: new Map(),
    fetching: new Map(),
    swept: { at: 0 },
    now: () => new Date(clock()).toISOString(),
    newKey: keyMaker(random, clock),
    pageSize: () => settings.pageSize,
    bulkThreshold: () => settings.bulkThreshold,
    watchesObjects: () => settings.watchesObjects,
    refused: refusal => device.reportRefused(refusal),
  }
  const runner = new Runner(context)
  const { hold = () => () => {} } = platform
  const device: LocalDevice = new LocalDevice({
    database,
    models,
    session,
    newId: idMaker(random, clock),
    files: platform.files,
    calls: new StoredCallRecords(database, clock),
    made: ({ name }) => automatic.made(name),
    async syncModel(model) {
      const release = hold()
      const synced = automatic.watch(runner.runQueued({ models: [model], query: {} }), false)
      const { sources } = await synced.finally(release)
      const error = sources[0]?.error
      if (error) throw errorOf(error)
    },
    now: clock,
    timers,
    isReachable: () => transport.isReachable,
    async pushChanges(model) {
      const release = hold()
      const pushed = automatic.watch(runner.runConcurrently({ models: [model], query: {}, only: 'push' }), false)
      await pushed.then(noResult, noResult).finally(release)
    },
  })
  const syncedModels = (): readonly OpenModel[] => {
    device.defineDrafts()
    return models.all().filter(({ synced }) => synced)
  }
  const automatic = automaticOf(options, {
    transport,
    session,
    events,
    runner,
    synced: syncedModels,
    canSend: model => canSend(models, model),
    random: shareMaker(random),
  })
  models.outgoing.report = written => automatic.wrote(written, { isEcho: models.live.callbacks.areRunning })
  return {
    database,
    registry: models,
    device,
    session,
    transport,
    events,
    syncing: context,
    signIn,
    runner,
    automatic,
    synced: syncedModels,
    hold,
    settings,
    models: openModels(device, (options.models ?? {}) as Ms),
  }
}

interface ListenerParts extends Pick<SdkParts<unknown>, 'transport' | 'session' | 'events' | 'runner'> {
  readonly random: () => number
  readonly synced: () => readonly OpenModel[]
  readonly canSend: (model: OpenModel) => boolean
}

/** Throws if models sync but no server is configured, because their changes would never be sent. */
function checkWhere({ server, models = {} }: { readonly server?: string | undefined; readonly models?: object }): void {
  const isSynced = Object.values(models).some(model => definitionOf(model as Model).syncType !== 'none')
  if (server !== undefined || isSynced) checkServer(server)
}

type AutomaticOptions = Pick<SdkOptions, 'timers' | 'eventStream' | 'sendWrites' | 'network' | 'server'>

function automaticOf(
  { timers = platformTimers, eventStream = true, sendWrites, network = platformNetwork, server }: AutomaticOptions,
  { transport, session, events, ...parts }: ListenerParts,
): Automatic {
  const open = (signal: AbortSignal): Promise<Response> =>
    transport.events({ session: session.required(), client: session.clientId, signal })
  let wasReachable: boolean | null = true
  const reportReachable = (): void => {
    const { isReachable } = transport
    if (isReachable === wasReachable) return
    wasReachable = isReachable
    events.emit({ kind: 'status', loggedIn: session.token !== null, userName: session.userName })
  }
  const listen = (automatic: Automatic): EventStream => {
    const handle = eventHandler(automatic, events)
    return new EventStream({
      open,
      hear(event) {
        if (event.kind === 'open') reportReachable()
        handle(event)
      },
      broke() {
        transport.brokeOff()
        reportReachable()
      },
      timers,
      random: parts.random,
    })
  }
  return new Automatic({
    ...parts,
    timers,
    session,
    hasServer: server !== undefined,
    listen: eventStream ? listen : undefined,
    sendsWrites: sendWrites !== 'with-sync',
    network,
    isReachable: () => transport.isReachable,
    busy: source => events.emit({ kind: 'busy', source }),
  })
}

// The error was reported as an event. Callers that need it use `sync`.
const noResult = (): void => {}

/** Opens the database of a device, and closes it again if this release cannot read it. */
function openDatabase(drive: Drive, release: number | undefined, sqlTimeoutMilliseconds?: number): DeviceDatabase {
  const database = new DeviceDatabase(drive, sqlTimeoutMilliseconds)
  try {
    if (release !== undefined) checkRelease(database, release)
    checkLayout(database)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}
