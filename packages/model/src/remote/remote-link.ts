import { SyncError } from '@godwit/protocol'
import { defaultRelease, fingerprint } from '../definition/fingerprint.js'
import { callSafely } from '../live/call-safely.js'
import { EventReader } from '../live/event-reader.js'
import { platformTimers, type Timers } from '../platform/timers.js'
import { definitionOf } from '../typed/define-model.js'
import type { Model, Models } from '../typed/infer.js'
import type { CheckedModels } from '../typed/typed-models.js'
import type { ActionTypes } from './actions.js'
import { type CallRequest, Calls } from './calls.js'
import { errorEvent, fromWire, toWire } from './error-values.js'
import { LiveQueries } from './live-rows.js'
import { isSame } from './plain-values.js'
import { listen, type PortLike } from './port.js'
import { type DeviceStatus, type HostMessage, type PageMessage, PROTOCOL_VERSION } from './protocol.js'
import type { RemoteDevice } from './remote-device.js'
import { type CallLink, verbsOf } from './verbs.js'

/** Options of a page's device in another thread. */
export interface RemoteOptions<Ms, A = Record<never, never>> {
  /** The models that the other thread opened. */
  readonly models: CheckedModels<Ms>
  /** The result of `remoteActions<typeof actions>()`. */
  readonly actions?: ActionTypes<A>
  /** Release number of the app; higher is newer. Default: the sum of the models' `schemaVersion`. */
  readonly release?: number
  /** Milliseconds since 1970. Default: Date.now. */
  readonly clock?: () => number
  /** Default: setTimeout. */
  readonly timers?: Timers
  /** This page's permanent id. Default: random. */
  readonly page?: string
  /** Called after each write of this page that was done. */
  readonly wrote?: () => void
}

/** A page's device, and the connection to the thread that hosts it. */
export interface RemoteLink<Ms, A = Record<never, never>> {
  readonly device: RemoteDevice<Ms, A>
  /** This page's permanent id. */
  readonly page: string
  /** The generation of the connected host; undefined while there is none. */
  readonly generation: number | undefined
  /** Connects the host behind this port: open calls are repeated there and live queries start again. */
  attach(port: PortLike): void
  /** The host is lost. Calls wait for the next one. */
  detach(): void
  /** No host is available: open and future calls reject with this error until one answers. */
  fail(error: SyncError): void
  /**
   * Detects a silent host: call it each second while the host is not busy. After ten seconds without a message, the status and live queries without
   * rows report this error until the host responds.
   */
  check(error: () => SyncError): void
  /** Adds facts to the status that only this page knows. */
  updateStatus(status: Partial<DeviceStatus>): void
  /** Emits an event to the listeners of `events()`. */
  emit(event: object): void
  /** Calls a platform function of the host: see `HostOptions.calls`. */
  call(question: CallRequest): Promise<unknown>
}

const INITIAL_STATUS: DeviceStatus = Object.freeze({
  connected: false,
  userId: null,
  userName: null,
  clientId: null,
  loggedIn: false,
  signIn: 'guest',
  online: null,
  syncing: false,
  progress: null,
  waiting: 0,
  refused: 0,
  overwritten: 0,
  staleSince: null,
  busy: false,
  problem: null,
})

const SILENCE_LIMIT_SECONDS = 10

/** Returns the device that another thread serves at the other end of a port. */
export function openRemote<const Ms extends Models<Ms>, A = Record<never, never>>(
  port: PortLike,
  options: RemoteOptions<Ms, A>,
): RemoteDevice<Ms, A> {
  const link = remoteLink<Ms, A>(options)
  link.attach(port)
  return link.device
}

/** Returns a device whose host may change, for pages that hand it over. */
export function remoteLink<const Ms extends Models<Ms>, A = Record<never, never>>({
  models,
  release,
  clock = Date.now,
  timers = platformTimers,
  page = randomId(),
  wrote = () => {},
}: RemoteOptions<Ms, A>): RemoteLink<Ms, A> {
  const definitions = Object.values<Model>(models as { readonly [name: string]: Model }).map(definitionOf)
  const hello: PageMessage = {
    godwit: 'hello',
    version: PROTOCOL_VERSION,
    page,
    fingerprint: fingerprint(definitions),
    release: release ?? defaultRelease(definitions),
  }
  const readers = new Set<EventReader<object>>()
  const listeners = new Set<() => void>()
  let status = INITIAL_STATUS
  let port: PortLike | undefined
  let unlisten = (): void => {}
  let generation: number | undefined
  let isClosed = false
  /** Seconds since the last message of the host. */
  let silence = 0

  const post = (message: PageMessage): void => {
    if (generation !== undefined || message === hello) port?.postMessage(message)
  }
  const updateStatus = (given: Partial<DeviceStatus>): void => {
    const next = { ...status, ...given }
    if (isSame(next, status)) return
    status = Object.freeze(next)
    for (const listener of listeners) callSafely(listener)
  }
  const emit = (event: object): void => {
    for (const reader of readers) reader.push(event)
  }
  const calls = new Calls({
    clock,
    timers,
    post,
    generation: () => generation,
    user: () => status.userId,
    busy: () => status.busy,
    wrote,
    tick: () => generation === undefined && post(hello),
  })
  const queries = new LiveQueries(post)
  const lose = (): void => {
    generation = undefined
    calls.disconnected()
    updateStatus({ connected: false })
  }
  const fail = (error: SyncError): void => {
    lose()
    calls.fail(error)
    queries.failAll(error)
    updateStatus({ problem: toWire(error) })
    emit(errorEvent(error))
  }
  /** What each message of the host does. */
  const hearOf: {
    readonly [Kind in HostMessage['godwit']]: (message: HostMessage & { readonly godwit: Kind }) => void
  } = {
    invite: message => message.generation !== generation && post(hello),
    welcome({ generation: next, status }) {
      // A second answer to the same hello.
      if (next === generation) return
      if (generation !== undefined) lose()
      generation = next
      updateStatus({ ...status, connected: true, problem: null })
      calls.connected()
      queries.connected()
    },
    unwelcome: ({ error }) => fail(fromWire(error)),
    begun: ({ number }) => calls.begun(number),
    reply: message => calls.answered(message),
    rows: message => queries.rows(message),
    failed: message => queries.failed(message),
    event: ({ event }) => emit(event),
    status: ({ status }) => updateStatus(status),
    busy: ({ busy }) => updateStatus({ busy }),
    gone: message => message.generation === generation && lose(),
  }
  const hear = (message: HostMessage): void => {
    if (silence >= SILENCE_LIMIT_SECONDS) {
      updateStatus({ problem: null })
      queries.connected()
    }
    silence = 0
    ;(hearOf[message.godwit] as ((message: HostMessage) => void) | undefined)?.(message)
  }
  const detach = (): void => {
    unlisten()
    unlisten = () => {}
    port = undefined
    lose()
  }
  const link: CallLink = {
    ask: calls.ask.bind(calls),
    repeat: calls.repeat.bind(calls),
    watch: queries.watch.bind(queries),
    emit,
    status: {
      current: () => status,
      subscribe(given) {
        const listener = () => given()
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    },
    events() {
      const reader: EventReader<object> = new EventReader(() => readers.delete(reader))
      if (isClosed) reader.end()
      else readers.add(reader)
      return reader
    },
    close() {
      if (isClosed) return
      isClosed = true
      post({ godwit: 'bye' })
      detach()
      const message = 'This page closed its device. Open it again.'
      calls.fail(new SyncError('sdk_closed', message))
      for (const reader of readers) reader.end()
    },
  }
  return {
    device: verbsOf<Ms, A>(link, Object.keys(models)),
    page,
    get generation() {
      return generation
    },
    attach(given) {
      if (isClosed) return
      detach()
      port = given
      silence = 0
      unlisten = listen<HostMessage>(given, hear)
      post(hello)
    },
    detach,
    fail,
    check(makeError) {
      // A page that a host refused stays refused.
      if (status.problem && silence < SILENCE_LIMIT_SECONDS) return
      if (++silence > SILENCE_LIMIT_SECONDS / 2) post(hello)
      if (silence !== SILENCE_LIMIT_SECONDS) return
      const error = makeError()
      updateStatus({ problem: toWire(error) })
      queries.failAll(error, true)
    },
    updateStatus,
    emit,
    call: link.ask,
  }
}

function randomId(): string {
  const parts = crypto.getRandomValues(new Uint32Array(4))
  return [...parts].map(part => part.toString(36)).join('')
}
