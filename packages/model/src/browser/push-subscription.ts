import type { RemoteDevice } from '../remote/remote-device.js'

/** The methods of a device that push messages need. */
export type PushDevice = Pick<RemoteDevice<unknown>, 'pushKey' | 'registerPush' | 'unregisterPush'>

/**
 * Whether push messages reach this browser. `on`: it is subscribed; `off`: it is not; `denied`: the user refused notifications; `unavailable`: the
 * browser or the server has no push messages.
 */
export type PushState = 'on' | 'off' | 'denied' | 'unavailable'

/** Options of {@link subscribePush}. */
export interface PushOptions {
  /** The registration of the service worker that shows the messages. Default: the one of this page, when it is ready. */
  readonly registration?: ServiceWorkerRegistration
}

/**
 * Subscribes this browser to push messages and registers it at the server; call it in a click, since browsers ask the user. Needs a logged-in user
 * and a service worker with `@godwit/model/push-worker`. Rejects if the browser or the server cannot be reached.
 *
 * @example
 * button.onclick = async () => show(await subscribePush(device))
 */
export async function subscribePush(device: PushDevice, options: PushOptions = {}): Promise<PushState> {
  if (!isSupported()) return 'unavailable'
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'off'
  const key = await device.pushKey()
  if (key === null) return 'unavailable'
  const { pushManager } = await registrationOf(options)
  const bytes = bytesOf(key)
  const former = await pushManager.getSubscription()
  // A browser refuses another key while it is subscribed with the former one.
  const isCurrent = former !== null && isSame(former.options.applicationServerKey, bytes)
  if (former && !isCurrent) await former.unsubscribe()
  const subscription = isCurrent
    ? former
    : await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes })
  await device.registerPush(subscription)
  return 'on'
}

/** Ends the subscription, at the server too. */
export async function unsubscribePush(device: PushDevice, options: PushOptions = {}): Promise<PushState> {
  if (!isSupported()) return 'unavailable'
  await device.unregisterPush()
  const { pushManager } = await registrationOf(options)
  await (await pushManager.getSubscription())?.unsubscribe()
  return 'off'
}

/**
 * Returns whether this browser is subscribed, and registers it again if it is: browsers replace subscriptions. Call it when the app opens. Never asks
 * the user.
 */
export async function renewPush(device: PushDevice, options: PushOptions = {}): Promise<PushState> {
  if (!isSupported()) return 'unavailable'
  if (Notification.permission === 'denied') return 'denied'
  const { pushManager } = await registrationOf(options)
  const subscription = await pushManager.getSubscription()
  if (subscription === null) return (await device.pushKey()) === null ? 'unavailable' : 'off'
  await device.registerPush(subscription)
  return 'on'
}

const isSupported = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis

const registrationOf = ({ registration }: PushOptions): Promise<ServiceWorkerRegistration> =>
  registration ? Promise.resolve(registration) : navigator.serviceWorker.ready

function bytesOf(key: string): Uint8Array<ArrayBuffer> {
  const text = atob(key.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, character => character.charCodeAt(0))
}

function isSame(key: ArrayBuffer | null, bytes: Uint8Array): boolean {
  const own = new Uint8Array(key ?? new ArrayBuffer(0))
  return own.length === bytes.length && own.every((byte, at) => byte === bytes[at])
}
