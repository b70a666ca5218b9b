import type { SyncError } from '@godwit/protocol'
import type { RemoteSubscription } from '../subscriptions/subscription.js'
import type { SubscriptionState } from '../subscriptions/subscription-list.js'
import type { CallRequest } from './calls.js'
import { errorEvent } from './error-values.js'
import { type LiveQueries, remoteLive } from './live-rows.js'
import {
  ACTIONS_TARGET,
  DEVICE_ONCE,
  DEVICE_READS,
  DEVICE_TARGET,
  MODEL_READS,
  MODEL_WRITES,
  OVERWRITTEN_TARGET,
  OVERWRITTEN_WRITES,
  REFUSAL_WRITES,
  REFUSALS_TARGET,
  SQL_READS,
  SQL_TARGET,
  SUBSCRIPTION_KINDS,
} from './methods.js'
import type { CallKind, DeviceStatus } from './protocol.js'
import type { RemoteDevice, Snapshot } from './remote-device.js'

/** The parts from which the methods of a remote device are built. */
export interface CallLink {
  readonly ask: (question: CallRequest) => Promise<unknown>
  readonly repeat: (error: SyncError) => Promise<unknown>
  readonly watch: LiveQueries['watch']
  readonly emit: (event: object) => void
  readonly status: Snapshot<DeviceStatus>
  readonly events: () => AsyncGenerator<object, void, void>
  readonly close: () => void
}

type Verb = (...args: unknown[]) => Promise<unknown>
type Verbs = { [name: string]: Verb }

/** Returns the methods of a device, each of which is a call to the host. */
export function verbsOf<Ms, A>(link: CallLink, models: readonly string[]): RemoteDevice<Ms, A> {
  const { status, events, repeat, close } = link
  const verb =
    (kind: CallKind, on: string, method: string): Verb =>
    (...args) =>
      link.ask({ kind, on, method, args })
  const verbs = (kind: CallKind, on: string, methods: readonly string[]): Verbs =>
    Object.fromEntries(methods.map(method => [method, verb(kind, on, method)]))
  const observe = (on: string, args: readonly unknown[], callback: (rows: readonly object[]) => void) =>
    link.watch(on, args, {
      rows: callback,
      failed: error => link.emit(errorEvent(error, on === SQL_TARGET ? null : on)),
    })
  const refusal = listedOf(link, REFUSALS_TARGET, REFUSAL_WRITES)
  const overwritten = listedOf(link, OVERWRITTEN_TARGET, OVERWRITTEN_WRITES)
  const listed = async (method: string, model: string | undefined) =>
    (await link.ask({ kind: 'read', on: DEVICE_TARGET, method, args: [model] })) as object[]
  const device = {
    ...verbs('read', DEVICE_TARGET, DEVICE_READS),
    ...verbs('once', DEVICE_TARGET, DEVICE_ONCE),
    models: Object.fromEntries(
      models.map(name => [
        name,
        {
          name,
          ...verbs('read', name, MODEL_READS),
          ...verbs('write', name, MODEL_WRITES),
          observe: (options: unknown, callback: (rows: readonly object[]) => void) =>
            observe(name, [options], callback),
          live: (options?: unknown) => remoteLive(watcher => link.watch(name, [options], watcher)),
          subscribe: subscribeVerb(link, name),
        },
      ]),
    ),
    sql: {
      ...verbs('read', SQL_TARGET, SQL_READS),
      observe: (text: string, values: readonly unknown[], callback: (rows: readonly object[]) => void) =>
        observe(SQL_TARGET, [text, values], callback),
    },
    actions: new Proxy<Verbs>(Object.create(null), {
      // An object with a `then` would be awaited.
      get(known, name) {
        if (typeof name === 'symbol' || name === 'then') return undefined
        const made = known[name] ?? verb('write', ACTIONS_TARGET, name)
        known[name] = made
        return made
      },
    }),
    sync: syncVerb(link),
    registerPush: registerPushVerb(link),
    refused: async (model?: string) => (await listed('refused', model)).map(refusal),
    liveRefused: (model?: string) => remoteLive(watcher => link.watch(REFUSALS_TARGET, [model], watcher), refusal),
    overwritten: async (model?: string) => (await listed('overwritten', model)).map(overwritten),
    liveOverwritten: (model?: string) =>
      remoteLive(watcher => link.watch(OVERWRITTEN_TARGET, [model], watcher), overwritten),
    status,
    events,
    repeat,
    close,
  }
  return device as unknown as RemoteDevice<Ms, A>
}

/** Subscribes at the host; each call of the handle names the partition. */
const subscribeVerb =
  (link: CallLink, on: string) =>
  (parameters: unknown, options?: unknown): RemoteSubscription => {
    const call = (method: keyof typeof SUBSCRIPTION_KINDS, ...rest: readonly unknown[]) =>
      link.ask({ kind: SUBSCRIPTION_KINDS[method], on, method, args: [parameters, ...rest] })
    const stored = call('subscribe', options) as Promise<void>
    // The handle reports it, and so does every later call of it.
    stored.catch(() => {})
    return {
      stored,
      state: () => stored.then(() => call('subscriptionState')) as Promise<SubscriptionState>,
      ready: given => stored.then(() => call('whenReady', given)) as Promise<boolean>,
      unsubscribe: () => stored.then(() => call('unsubscribe')) as Promise<void>,
    }
  }

/** The subscription of a browser is an object of the page, which cannot be sent; its JSON can. */
const registerPushVerb =
  (link: CallLink) =>
  (given: { readonly toJSON?: () => unknown }): Promise<unknown> =>
    link.ask({ kind: 'once', on: DEVICE_TARGET, method: 'registerPush', args: [given.toJSON?.() ?? given] })

/** A signal cannot be sent; a call stops the run instead. */
const syncVerb =
  (link: CallLink) =>
  async (given?: unknown, parameters?: unknown): Promise<unknown> => {
    const { signal, ...request } = (typeof given === 'object' ? given : {}) as { readonly signal?: AbortSignal }
    const stop = () => void link.ask({ kind: 'once', on: DEVICE_TARGET, method: 'stopSync', args: [] }).catch(() => {})
    if (signal?.aborted) return { sources: [], received: 0, sent: 0, stopped: true }
    signal?.addEventListener('abort', stop)
    try {
      const args = typeof given === 'object' ? [request] : [given, parameters]
      return await link.ask({ kind: 'once', on: DEVICE_TARGET, method: 'sync', args })
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }

/** Returns what adds its actions to a listed change: the same object for the same one. */
function listedOf(link: CallLink, on: string, actions: readonly string[]): (row: object) => object {
  const made = new WeakMap<object, object>()
  return row => {
    const acts = actions.map(method => [
      method,
      (...args: unknown[]) => link.ask({ kind: 'write', on, method, args: [row, ...args] }),
    ])
    const known = made.get(row) ?? { ...row, ...Object.fromEntries(acts) }
    made.set(row, known)
    return known
  }
}
