import { isSyncError, type PushMessage, type SkipReason, SyncError } from '@godwit/protocol'
import { messageOf, type PushProvider } from '@godwit/source'
import { EndSignal } from '../../backend/sources/end-signal.js'
import type { AdminEngine } from '../admin-engine.js'
import type { PingDevice } from './devices-of.js'

/** The result of sending a message to one device. */
export type SendResult = { readonly sent: true } | { readonly skipped: SkipReason } | { readonly failed: string }
type SendEngine = Pick<AdminEngine, 'store' | 'hub' | 'limits' | 'stopping' | 'pushProviders'>

/** Sends a message to the device's open stream, else through its provider. Never rejects. */
export async function sendMessage(engine: SendEngine, device: PingDevice, message: PushMessage): Promise<SendResult> {
  if (engine.hub.ping(device.login, device.client, { ...message })) return { sent: true }
  const { provider: name, pin } = device
  if (name === undefined) return { skipped: 'no_push_type' }
  const provider = Object.hasOwn(engine.pushProviders, name) ? engine.pushProviders[name] : undefined
  if (!provider) return { skipped: 'no_provider' }
  if (pin === undefined) return { skipped: 'no_pin' }
  try {
    const verdict = await sendInTime(engine, signal =>
      provider.send(message, { pin, port: device.port, appId: device.appId, signal }),
    )
    if (verdict !== 'gone') return { sent: true }
    await clearPin(engine, device.client, pin)
    return { failed: 'gone' }
  } catch (error) {
    return { failed: isSyncError(error) && error.code === 'backend_timeout' ? 'timeout' : messageOf(error) }
  }
}

/** Sends with a time-out. A single promise for both, since a race would add a listener to the server's own signal with each message. */
async function sendInTime(
  { limits, stopping }: SendEngine,
  send: (signal: AbortSignal) => ReturnType<PushProvider['send']>,
): ReturnType<PushProvider['send']> {
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
        .then(() => send(signal))
        .then(resolve, reject)
    })
  } finally {
    clearTimeout(timer)
    ended.release()
  }
}

/** Clears the push address, unless the device has registered another one meanwhile. */
async function clearPin({ store: { registry } }: SendEngine, client: string, pin: string): Promise<void> {
  const record = await registry.get('client', client)
  if (record?.value['device_pin'] === pin) await registry.merge('client', client, { device_pin: null })
}
