import type { PushMessage } from '@godwit/protocol'

/** The address of a device at a push provider. */
export interface PushTarget {
  /** The address that the device registered (`device_pin`). */
  readonly pin: string
  readonly port: string | number | undefined
  /** `device_app_id`: the app, for a provider that serves several. */
  readonly appId: string | undefined
  /** Aborted at the time-out of the call, or when the server stops. */
  readonly signal: AbortSignal
}

/** Sends push messages to devices without an open event stream. */
export interface PushProvider {
  /**
   * Sends one message; called concurrently. `gone`: the device no longer exists, and its address is cleared. Rejects with a message that is reported
   * as the reason.
   */
  send(message: PushMessage, target: PushTarget): Promise<'sent' | 'gone'>
}

/** Name → provider: `apns`, `fcm`, `webpush`, or a custom name that devices register as `device_push_type`. */
export interface PushProviders {
  readonly [name: string]: PushProvider
}
