import type { PushMessage } from '@godwit/protocol'
import { apnsPayload, apnsUrgency } from './apns-payload.js'
import { badgeNumber, collapseKey } from './message.js'

/** How messages are shown and kept. */
export interface FcmStyle {
  /** The title above the text. Default: Android shows the app's name. */
  readonly title?: string | undefined
  /** The Android notification channel. Default: the app's default channel. */
  readonly channel?: string | undefined
  /** Seconds for which FCM keeps the message for a device that is offline. */
  readonly ttl: number
}

/** Returns the body of `messages:send`. The values of `data` are texts, as FCM requires; `do_sync` is a JSON array. */
export const fcmMessage = (
  message: PushMessage,
  to: { readonly token: string } | { readonly topic: string },
  style: FcmStyle,
): object => ({
  ...to,
  data: dataOf(message),
  ...(message.message !== undefined && {
    notification: { ...(style.title !== undefined && { title: style.title }), body: message.message },
  }),
  android: androidOf(message, style),
  apns: { headers: apnsUrgency(message), payload: apnsPayload(message) },
})

/** The text is in `notification`, if there is one, and is not repeated. */
function dataOf({ do_sync, badge, sound, vibrate }: PushMessage): Record<string, string> {
  return {
    do_sync: JSON.stringify(do_sync),
    ...(badge !== undefined && { badge: String(badge) }),
    ...(sound !== undefined && { sound }),
    ...(vibrate !== undefined && { vibrate: String(vibrate) }),
  }
}

function androidOf(message: PushMessage, { channel, ttl }: FcmStyle): object {
  const collapse = collapseKey(message)
  const number = badgeNumber(message)
  const { sound, vibrate } = message
  return {
    // Android lowers the priority of apps whose urgent messages show nothing.
    priority: collapse === undefined ? 'HIGH' : 'NORMAL',
    ttl: `${ttl}s`,
    ...(collapse !== undefined && { collapse_key: collapse }),
    ...(message.message !== undefined && {
      notification: {
        ...(channel !== undefined && { channel_id: channel }),
        ...(sound !== undefined && { sound }),
        ...(number !== undefined && { notification_count: number }),
        // The first duration is the pause before the vibration.
        ...(vibrate !== undefined && { vibrate_timings: ['0s', `${vibrate}s`] }),
      },
    }),
  }
}
