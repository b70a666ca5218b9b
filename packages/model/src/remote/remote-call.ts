import { isSyncError, SyncError } from '@godwit/protocol'
import type { Overwritten, Refusal } from '../definition/reported-changes.js'
import type { Sdk } from '../sdk/sdk.js'
import type { Subscription } from '../subscriptions/subscription.js'
import { OverwrittenChange } from '../typed/overwritten-change.js'
import { RefusedChange } from '../typed/refused-change.js'
import {
  ACTIONS_TARGET,
  DEVICE_ONCE,
  DEVICE_READS,
  DEVICE_TARGET,
  MODEL_READS,
  MODEL_WRITES,
  OVERWRITTEN_TARGET,
  OVERWRITTEN_WRITES,
  PLATFORM_TARGET,
  REFUSAL_WRITES,
  REFUSALS_TARGET,
  SQL_READS,
  SQL_TARGET,
  SUBSCRIPTION_KINDS,
} from './methods.js'
import type { CallKind, CallMessage } from './protocol.js'

type Verb = (...args: readonly unknown[]) => unknown
type Verbs = { readonly [name: string]: Verb }

/** A call that the platform's host answers. */
export interface PlatformCall {
  readonly kind: CallKind
  readonly run: (...args: readonly never[]) => unknown
}

/** A device as calls of other threads reach it. */
export interface ServedDevice {
  readonly sdk: Sdk<unknown>
  readonly actions: { readonly [name: string]: unknown }
  readonly platform: { readonly [name: string]: PlatformCall }
}

export interface RemoteCall {
  readonly kind: CallKind
  readonly run: (args: readonly unknown[]) => unknown
}

/** Returns what a call runs, by its target and method. Throws if there is none: only declared names are looked up. */
export function remoteCallOf({ sdk, actions, platform }: ServedDevice, { on, method }: CallMessage): RemoteCall {
  if (on === DEVICE_TARGET) {
    const verbs = sdk as unknown as Verbs
    if (method === 'refused' || method === 'overwritten')
      return { kind: 'read', run: ([model]) => plainRows(sdk[method](model as never)) }
    if (DEVICE_READS.includes(method)) return { kind: 'read', run: args => verbs[method]?.call(sdk, ...args) }
    if (DEVICE_ONCE.includes(method)) return { kind: 'once', run: args => verbs[method]?.call(sdk, ...args) }
  } else if (on === SQL_TARGET) {
    if (SQL_READS.includes(method))
      return { kind: 'read', run: args => (sdk.sql as unknown as Verbs)[method]?.(...args) }
  } else if (on === ACTIONS_TARGET) {
    const action = Object.hasOwn(actions, method) ? actions[method] : undefined
    if (typeof action === 'function')
      return { kind: 'write', run: args => runAction(method, () => action(sdk, ...args)) }
    const known = Object.keys(actions).join(', ') || 'none, since none is served'
    throw new SyncError(
      'action_unknown',
      `There is no action ${JSON.stringify(method)}: expected one of ${known}. Check that the worker passes it to serveDevice.`,
    )
  } else if (on === REFUSALS_TARGET) {
    if (REFUSAL_WRITES.includes(method)) return { kind: 'write', run: args => settleRefusal(sdk, method, args) }
  } else if (on === OVERWRITTEN_TARGET) {
    if (OVERWRITTEN_WRITES.includes(method)) return { kind: 'write', run: args => settleOverwritten(sdk, method, args) }
  } else if (on === PLATFORM_TARGET) {
    const call = Object.hasOwn(platform, method) ? platform[method] : undefined
    if (call) return { kind: call.kind, run: args => call.run(...(args as never[])) }
  } else {
    const verbs = modelOf(sdk, on)
    if (Object.hasOwn(SUBSCRIPTION_KINDS, method))
      return subscriptionCall(verbs, method as keyof typeof SUBSCRIPTION_KINDS)
    const kind = MODEL_READS.includes(method) ? 'read' : MODEL_WRITES.includes(method) ? 'write' : undefined
    if (kind) return { kind, run: args => verbs[method]?.(...args) }
  }
  throw new SyncError('action_unknown', `A remote device has no call ${JSON.stringify(method)}. Reload the page.`)
}

/** A page has no handle of a subscription: each call names the partition. */
function subscriptionCall(verbs: Verbs, method: keyof typeof SUBSCRIPTION_KINDS): RemoteCall {
  const handle = (parameters: unknown) => verbs['subscriptionTo']?.(parameters) as Subscription
  const runs: { readonly [Name in typeof method]: RemoteCall['run'] } = {
    subscribe: ([parameters, options]) => void verbs['subscribe']?.(parameters, options),
    unsubscribe: ([parameters]) => handle(parameters).unsubscribe(),
    subscriptionState: ([parameters]) => handle(parameters).state,
    whenReady: ([parameters, options]) => handle(parameters).ready(options as { readonly timeout?: number }),
  }
  return { kind: SUBSCRIPTION_KINDS[method], run: runs[method] }
}

/** Returns the methods of a model. Throws `model_unknown`. */
export function modelOf(sdk: Sdk<unknown>, name: string): Verbs {
  const models = sdk.models as { readonly [name: string]: unknown }
  const model = Object.hasOwn(models, name) ? models[name] : undefined
  if (model) return model as Verbs
  throw new SyncError(
    'model_unknown',
    `There is no model ${JSON.stringify(name)}: expected one of ${Object.keys(models).join(', ')}.`,
  )
}

/** Listed changes as data, without their methods. */
export const plainRows = (listed: readonly object[]): readonly object[] => listed.map(one => ({ ...one }))

/** Marks an error thrown by the action itself. Nothing was stored. */
function runAction(name: string, run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    if (isSyncError(error)) throw error
    const thrown = error instanceof Error ? error : new Error(String(error))
    throw new SyncError('action_failed', `The action ${name} failed: ${thrown.message}`, {
      cause: error,
      details: { action: name, name: thrown.name, message: thrown.message },
    })
  }
}

function settleRefusal({ device }: Sdk<unknown>, method: string, [given, changes]: readonly unknown[]): void {
  const refusal = new RefusedChange(device, given as Refusal)
  if (method === 'retry') refusal.retry()
  else if (method === 'edit') refusal.edit(changes as never)
  else refusal.dismiss()
}

function settleOverwritten({ device }: Sdk<unknown>, method: string, [given]: readonly unknown[]): void {
  const overwritten = new OverwrittenChange(device, given as Overwritten)
  if (method === 'restore') overwritten.restore()
  else overwritten.dismiss()
}
