import type { PushMessage } from '@godwit/protocol'

/** Where a device is reached. */
export interface PushTarget {
  /** The address that the device registered (`device_pin`). */
  readonly pin: string
  readonly port: string | number | undefined
  /** `device_app_id`: which app, where one provider serves several. */
  readonly appId: string | undefined
  /** Aborted when the time for the call is over, or the server stops. */
  readonly signal: AbortSignal
}

/** Carries push messages to devices without an open event stream. */
export interface PushProvider {
  /** `gone`: there is no such device any more, and its address is cleared. A rejection's message is told as the reason. Called concurrently. */
  send(message: PushMessage, target: PushTarget): Promise<'sent' | 'gone'>
}

/** Name → provider: `apns`, `fcm`, `webpush`, or a name of your own that devices register as `device_push_type`. */
export interface PushProviders {
  readonly [name: string]: PushProvider
}

// Ways in which devices say what they are.
const NAMES: ReadonlyMap<string, string> = new Map([
  ['apple', 'apns'],
  ['iphone', 'apns'],
  ['android', 'fcm'],
  ['gcm', 'fcm'],
])

/** The provider's name for a `device_push_type` or, where that is not set, a `device_type`. */
export function providerName(pushType: string | undefined, deviceType: string | undefined): string | undefined {
  const type = (pushType || deviceType)?.toLowerCase()
  return type && (NAMES.get(type) ?? type)
}
