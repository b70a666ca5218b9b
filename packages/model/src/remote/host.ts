import { SyncError } from '@godwit/protocol'
import { defaultRelease, fingerprint } from '../definition/fingerprint.js'
import { platformTimers, type Timers } from '../platform/timers.js'
import type { Sdk } from '../sdk/sdk.js'
import { definitionOf } from '../typed/define-model.js'
import type { Model, Models } from '../typed/infer.js'
import { toWire } from './error-values.js'
import { Connection } from './page-connection.js'
import { listen, type PortLike } from './port.js'
import {
  CALL_START_LIMIT_MS,
  type HostMessage,
  type HostStatus,
  type PageMessage,
  PROTOCOL_VERSION,
} from './protocol.js'
import type { PlatformCall } from './remote-call.js'
import { SourceStatuses } from './source-statuses.js'
import { type TakeBlob, takeWhole } from './take-blobs.js'

/** The device that a host serves, and its actions. */
export interface HostOptions<Ms> {
  readonly sdk: Sdk<Ms>
  /** The models that it was opened with. */
  readonly models: Ms
  /** The result of `defineActions`. */
  readonly actions?: { readonly [name: string]: unknown }
  /** Release number of the app; higher is newer. Default: the sum of the models' `schemaVersion`. */
  readonly release?: number
  /** Called when a page of a newer release connects: close the device, so that the page can take it over. Default: the page receives `reload_needed`. */
  readonly outdated?: () => void
  /** Stores the files of pages. Default: each in one write, from memory. */
  readonly takeBlob?: TakeBlob
  /** Calls of the platform, made by `link.ask({ kind, on: PLATFORM, method, args })`. */
  readonly calls?: { readonly [name: string]: PlatformCall }
  /** Milliseconds since 1970. Default: Date.now. */
  readonly clock?: () => number
  /** Default: setTimeout. */
  readonly timers?: Timers
}

/** Serves an open device to pages. Only one host is active: a later one on the same files ends it. */
export interface DeviceHost {
  readonly generation: number
  /** Serves the page at the other end. Call the result to stop. */
  connect(port: PortLike): () => void
  /** Adds facts to the status of all pages. */
  updateStatus(status: Partial<HostStatus>): void
  /** Reports to all pages an error that no call waits for. */
  report(error: unknown): void
  /** Starts no more calls; pages look for the next owner. Close the SDK afterwards. */
  letGo(): void
}

const HOUR_MS = 60 * 60 * 1000
/** Milliseconds within which status changes are collected before pages receive them. */
const STATUS_DELAY_MS = 50
/** Milliseconds that acknowledged call records wait to be deleted with a write. */
const RECORD_DELETE_DELAY_MS = 1000

/** Serves an open device to the pages at the other ends of ports. */
export function hostDevice<const Ms extends Models<Ms>>(options: HostOptions<Ms>): DeviceHost {
  const { models, actions = {}, release, outdated, calls = {} } = options
  const { clock = Date.now, timers = platformTimers } = options
  const sdk = options.sdk as unknown as Sdk<unknown>
  const { device } = sdk
  const { takeBlob = takeWhole({ keepBytes: bytes => device.keepBytes(bytes) }) } = options
  const definitions = Object.values<Model>(models as { readonly [name: string]: Model }).map(definitionOf)
  const connections = new Set<Connection>()
  const cancels = new Map<string, () => void>()
  const sources = new SourceStatuses(sdk, definitions)
  let announced: HostStatus = { ...sdk.status(), progress: null, busy: false, sources: sources.current }
  let isOver = false

  const each = (act: (one: Connection) => void): void => {
    for (const one of connections) act(one)
  }
  const post = (message: HostMessage): void => each(one => one.post(message))
  /** Schedules `run` once, however often it is requested meanwhile. */
  const later = (name: string, milliseconds: number, run: () => void): void => {
    if (cancels.has(name) || isOver) return
    const cancel = timers.set(() => {
      cancels.delete(name)
      guard(run)
    }, milliseconds)
    cancels.set(name, cancel)
  }
  const updateStatus = (given: Partial<HostStatus>): void => {
    const next = { ...announced, ...given }
    const names = Object.keys(next) as (keyof HostStatus)[]
    const changed = names.filter(name => next[name] !== announced[name])
    if (changed.length === 0) return
    announced = next
    post({ godwit: 'status', status: Object.fromEntries(changed.map(name => [name, next[name]])) })
    // Rows of the former user must disappear from every page.
    if (changed.includes('userId')) each(one => one.beginAgain())
  }
  /** An error that no call waits for is reported to pages instead of thrown. */
  const guard = (run: () => void): void => {
    try {
      if (!isOver) run()
    } catch (error) {
      report(error)
    }
  }
  const look = (): void =>
    guard(() => {
      const status = sdk.status()
      if (status.userId !== announced.userId) sources.begin()
      if (!status.syncing) sources.idle()
      updateStatus({ ...status, sources: sources.current, ...(!status.syncing && { progress: null }) })
      each(one => one.look())
    })
  const lookSoon = (): void => later('look', STATUS_DELAY_MS, look)
  const over = new Map<string, number>()
  const flush = (): void => {
    device.calls.flush()
    const late = clock() - CALL_START_LIMIT_MS
    for (const [call, at] of over) if (at < late) over.delete(call)
    if (over.size > 0) later('flush', CALL_START_LIMIT_MS, flush)
  }
  const hourly = (): void => {
    flush()
    later('hourly', HOUR_MS, hourly)
  }
  const letGo = (): void => {
    if (isOver) return
    isOver = true
    device.onThrown(undefined)
    device.onCommitted(undefined)
    for (const cancel of cancels.values()) cancel()
    post({ godwit: 'gone', generation })
    each(one => one.end())
    connections.clear()
  }
  const report = (error: unknown): void => {
    const { code, message } = toWire(error)
    post({ godwit: 'event', event: { kind: 'error', source: null, error: { code, message } } })
  }

  const generation = device.calls.begin()
  device.onThrown(report)
  // What this thread writes by itself waits, too.
  device.onCommitted(lookSoon)
  const host = {
    sdk,
    generation,
    actions,
    platform: calls,
    takeBlob,
    clock,
    running: new Map(),
    over,
    isOver: () => isOver,
    status: () => announced,
    look,
    report,
    letGo,
    acknowledged: () => later('idle', RECORD_DELETE_DELAY_MS, flush),
    greet: hello,
  }
  const own = { fingerprint: fingerprint(definitions), release: release ?? defaultRelease(definitions) }

  /** Checks a page's hello; undefined if it is accepted. */
  function hello(page: PageMessage & { readonly godwit: 'hello' }): SyncError | 'outdated' | undefined {
    if (page.version > PROTOCOL_VERSION || page.release > own.release) {
      if (!outdated) return reload('The thread that owns the device is older than this page', page, own.release)
      outdated()
      return 'outdated'
    }
    if (page.version === PROTOCOL_VERSION && page.fingerprint === own.fingerprint) return undefined
    return reload('This page is older than the thread that owns the device, or has other models', page, own.release)
  }

  async function hear(): Promise<void> {
    for await (const event of sdk.events()) {
      guard(() => sources.hear(event))
      if (event.kind === 'progress') {
        const { source, received, total } = event
        updateStatus({ syncing: true, progress: { source, received, total }, sources: sources.current })
      }
      if (event.kind === 'status') look()
      post({ godwit: 'event', event })
      lookSoon()
    }
    letGo()
  }
  void hear().catch(report)
  // Deferred so that expired records do not delay the first calls.
  later('hourly', RECORD_DELETE_DELAY_MS, hourly)

  return {
    generation,
    connect(port) {
      if (isOver) return () => {}
      const connection: Connection = new Connection(host, message => port.postMessage(message))
      connections.add(connection)
      const stop = listen<PageMessage>(port, message => {
        connection.hear(message)
        if (message.godwit === 'bye') end()
      })
      const end = (): void => {
        stop()
        connection.end()
        connections.delete(connection)
      }
      connection.left = stop
      connection.post({ godwit: 'invite', generation })
      return end
    },
    updateStatus,
    report,
    letGo,
  }
}

const reload = (problem: string, page: { readonly release: number }, release: number): SyncError =>
  new SyncError('reload_needed', `${problem}: expected release ${release}, got ${page.release}. Reload the page.`, {
    details: { release, page: page.release },
  })
