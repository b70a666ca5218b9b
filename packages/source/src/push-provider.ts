import type { PushMessage } from '@godwit/protocol'
import type { GuardedFetch } from './guarded-fetch.js'

/** The address of a device at a push provider. */
export interface PushTarget {
  /** The address that the device registered (`device_pin`). */
  readonly pin: string
  readonly port: string | number | undefined
  /** `device_app_id`: the app, for a provider that serves several. */
  readonly appId: string | undefined
  /** Aborted at the time-out of the call, or when the server stops. */
  readonly signal: AbortSignal
  /** Requests addresses that devices choose: https alone. */
  readonly fetch: GuardedFetch
  /** True: everything but the delivery. */
  readonly isDryRun: boolean
}

/**
 * The result of a send. `gone`: the device no longer exists, and its address is cleared. `retryAfter`: seconds after which the message is to be sent
 * again.
 */
export type PushVerdict = 'sent' | 'gone' | { readonly retryAfter: number }

/** Sends push messages to devices without an open event stream. */
export interface PushProvider {
  /** Sends one message; called concurrently. Rejects with a message that is reported as the reason. */
  send(message: PushMessage, target: PushTarget): Promise<PushVerdict>
}

/** Name → provider: `apns`, `fcm`, `webpush`, or a custom name that devices register as `device_push_type`. */
export interface PushProviders {
  readonly [name: string]: PushProvider
}

/** A provider that can be tested without a device. */
export interface TestablePushProvider extends PushProvider {
  /** Validates what the provider was configured with. Resolves to what it found; rejects with the reason. */
  test(signal: AbortSignal): Promise<string>
}

/** A provider whose subscriptions are bound to a key of the server: Web Push. */
export interface KeyedPushProvider extends PushProvider {
  /** The public VAPID key, in base64url, with which pages subscribe. */
  readonly publicKey: string
}
