import type { PushMessage } from '@godwit/protocol'
import { badgeNumber, isSilent } from './message.js'

/** The part of a notification that iOS reads, and the members that the app reads beside it. */
export interface ApnsPayload {
  readonly aps: {
    readonly alert?: { readonly body: string }
    readonly badge?: number
    readonly sound?: string
    readonly 'content-available': 1
  }
  readonly do_sync: readonly string[]
  readonly badge?: string
  readonly vibrate?: number
}

/** Returns a message as APNs carries it. iOS has no field for a vibration or a badge of text: the app finds them beside `aps`. */
export function apnsPayload(message: PushMessage): ApnsPayload {
  const { message: body, badge, sound, vibrate, do_sync } = message
  const number = badgeNumber(message)
  return {
    aps: {
      ...(body !== undefined && { alert: { body } }),
      ...(number !== undefined && { badge: number }),
      ...(sound !== undefined && { sound }),
      'content-available': 1,
    },
    do_sync,
    ...(number === undefined && badge !== undefined && { badge: String(badge) }),
    ...(vibrate !== undefined && { vibrate }),
  }
}

/** Returns the headers with which APNs delivers a message: iOS throttles messages that show nothing, and requires their lower priority. */
export const apnsUrgency = (
  message: PushMessage,
): { readonly 'apns-push-type': string; readonly 'apns-priority': string } =>
  isSilent(message)
    ? { 'apns-push-type': 'background', 'apns-priority': '5' }
    : { 'apns-push-type': 'alert', 'apns-priority': '10' }
