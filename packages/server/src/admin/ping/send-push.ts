import { createHash } from 'node:crypto'
import { isSyncError, type PushMessage, type SkipReason, SyncError } from '@godwit/protocol'
import { messageOf, type PushProvider, type PushVerdict } from '@godwit/source'
import type { RecordValue } from '@godwit/store'
import { countPush } from '../../accounts/users/push-counts.js'
import { EndSignal } from '../../backend/sources/end-signal.js'
import type { AdminEngine } from '../admin-engine.js'
import type { PingDevice } from './devices-of.js'
import { decideSilent } from './silent-pushes.js'

/** The result of sending a message to one device. `deferred`: the provider asked to wait for these seconds. */
export type SendResult =
  | { readonly sent: true }
  | { readonly skipped: SkipReason }
  | { readonly failed: string }
  | { readonly deferred: number; readonly message: PushMessage }

export type SendEngine = Pick<
  AdminEngine,
  'store' | 'limits' | 'stopping' | 'pushProviders' | 'pushes' | 'metrics' | 'clock'
>

/** Milliseconds within which the same message goes to a device once. */
const REPEAT_TIME = 1000

/** How a message is sent. */
export interface SendOptions {
  /** All but the delivery: nothing is counted, limited or cleared. */
  readonly isDryRun?: boolean
  /** True for a message that a provider deferred, which was limited when it was first sent. */
  readonly isAgain?: boolean
}

/** RECIPE of a push: provider → once a second → room for silent ones → send → count, and clear an address that is gone. Never rejects. */
export async function sendPush(
  engine: SendEngine,
  device: PingDevice,
  message: PushMessage,
  { isDryRun = false, isAgain = false }: SendOptions = {},
): Promise<SendResult> {
  const { provider: name, pin, client } = device
  if (name === undefined) return { skipped: 'no_push_type' }
  const provider = Object.hasOwn(engine.pushProviders, name) ? engine.pushProviders[name] : undefined
  if (!provider) return { skipped: 'no_provider' }
  if (pin === undefined) return { skipped: 'no_pin' }
  try {
    if (isDryRun) return resultOf(await call(engine, provider, { ...device, pin, message, isDryRun }), message)
    if (!isAgain && (await isRepeated(engine, client, message))) return count(engine, name, 'repeated')
    // One at a time for each client, so that neither counts nor the room for silent messages are lost.
    return await engine.pushes.queue.run(client, () =>
      sendAndCount(engine, provider, { name, device: { ...device, pin }, message, isAgain }),
    )
  } catch (error) {
    return { failed: reasonOf(error) }
  }
}

interface PushParts {
  readonly name: string
  readonly device: PingDevice & { readonly pin: string }
  readonly message: PushMessage
  readonly isAgain: boolean
}

async function sendAndCount(
  engine: SendEngine,
  provider: PushProvider,
  { name, device, message: given, isAgain }: PushParts,
): Promise<SendResult> {
  const { registry } = engine.store
  const { client, pin } = device
  const value = (await registry.get('client', client))?.value
  // The device unregistered, or was deleted, since its address was read.
  if (value?.['device_pin'] !== pin) return { skipped: value ? 'no_pin' : 'client_not_found' }
  const limited = isAgain ? { message: given, change: {} } : limitSilent(engine, { provider, message: given, value })
  if (limited === undefined) return count(engine, name, 'throttled')
  const { message, change } = limited
  const counted = async (member: 'sent' | 'refused' | 'gone', more: RecordValue = {}): Promise<void> => {
    engine.metrics.pushMessages.inc({ provider: name, result: member })
    await registry.merge('client', client, { ...change, ...countPush(value, member), ...more })
  }
  let verdict: PushVerdict
  try {
    verdict = await call(engine, provider, { ...device, message, isDryRun: false })
  } catch (error) {
    await counted('refused')
    return { failed: reasonOf(error) }
  }
  if (typeof verdict === 'object') {
    engine.metrics.pushMessages.inc({ provider: name, result: 'deferred' })
    if (Object.keys(change).length > 0) await registry.merge('client', client, change)
  } else if (verdict === 'sent') await counted('sent')
  else await counted('gone', await clearedPin(engine, client, pin))
  return resultOf(verdict, message)
}

const resultOf = (verdict: PushVerdict, message: PushMessage): SendResult =>
  verdict === 'sent'
    ? { sent: true }
    : verdict === 'gone'
      ? { failed: 'gone' }
      : { deferred: verdict.retryAfter, message }

/** Returns the change that clears the address, unless the device has registered another one meanwhile. */
async function clearedPin({ store }: SendEngine, client: string, pin: string): Promise<RecordValue> {
  const record = await store.registry.get('client', client)
  return record?.value['device_pin'] === pin ? { device_pin: null } : {}
}

/** Limits messages that show nothing. Browsers show each message, so those with a VAPID key need no limit. Undefined: it is not sent. */
function limitSilent(
  { clock, pushes: { fallback } }: SendEngine,
  {
    provider,
    message,
    value,
  }: { readonly provider: PushProvider; readonly message: PushMessage; readonly value: RecordValue },
): { readonly message: PushMessage; readonly change: RecordValue } | undefined {
  const { do_sync, ...visible } = message
  if ('publicKey' in provider || Object.keys(visible).length > 0) return { message, change: {} }
  const { verdict, change } = decideSilent(value, clock())
  if (verdict === 'silent') return { message, change }
  if (verdict === 'throttled' || fallback === '') return undefined
  return { message: { do_sync, message: fallback }, change }
}

function count({ metrics }: SendEngine, provider: string, result: 'repeated' | 'throttled'): SendResult {
  metrics.pushMessages.inc({ provider, result })
  return { skipped: result }
}

/** True if the same message went to this client within the last second, from any process. */
async function isRepeated({ store, clock }: SendEngine, client: string, message: PushMessage): Promise<boolean> {
  const hash = createHash('sha256').update(JSON.stringify(message)).digest('base64url')
  const second = Math.floor(clock() / REPEAT_TIME)
  const nameOf = (time: number): string => `push:${client}:${hash}:${time}`
  const [before] = await store.counters.get([nameOf(second - 1)])
  if (before && before.age < REPEAT_TIME) return true
  return (await store.counters.add(nameOf(second), 2 * REPEAT_TIME)) > 1
}

interface ProviderCall extends PingDevice {
  readonly pin: string
  readonly message: PushMessage
  readonly isDryRun: boolean
}

/** Calls the provider with a time-out. A single promise for both, since a race would add a listener to the server's own signal with each message. */
async function call(
  { limits, stopping, pushes }: SendEngine,
  provider: PushProvider,
  { message, pin, port, appId, isDryRun }: ProviderCall,
): Promise<PushVerdict> {
  const ended = new EndSignal(stopping)
  const timer = setTimeout(ended.end, limits.pushTimeout * 1000)
  try {
    return await new Promise((resolve, reject) => {
      const late = (): void =>
        reject(new SyncError('backend_timeout', 'expected an answer of the provider in time, got none.'))
      const { signal } = ended
      if (signal.aborted) return late()
      signal.addEventListener('abort', late)
      Promise.resolve()
        .then(() => provider.send(message, { pin, port, appId, signal, fetch: pushes.fetch, isDryRun }))
        .then(resolve, reject)
    })
  } finally {
    clearTimeout(timer)
    ended.release()
  }
}

const reasonOf = (error: unknown): string =>
  isSyncError(error) && error.code === 'backend_timeout' ? 'timeout' : messageOf(error)
