import type { PushMessage } from '@godwit/protocol'
import type { GuardedResponse, KeyedPushProvider, PushTarget, PushVerdict, TestablePushProvider } from '@godwit/source'
import webpush from 'web-push'
import { collapseKey, encodeWithin } from './message.js'
import { invalidOption, refusedBy } from './refused.js'
import { retryAfterOf } from './retry-after.js'
import { readSubscription } from './subscription.js'
import { publicKeyOf } from './vapid-keys.js'

export { createVapidKeys, type VapidKeys } from './vapid-keys.js'

/** The options of {@link webPush}. */
export interface WebPushOptions {
  /** The private VAPID key, 32 bytes in base64url, as `godwit push-keys` makes it. */
  readonly privateKey: string
  /** Where push services reach the operator: a `mailto:` or `https:` address. */
  readonly subject: string
  /** Seconds for which the push service keeps a message for a browser that is offline. Default a day. */
  readonly ttl?: number | undefined
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly clock?: (() => number) | undefined
}

/** A push provider for browsers. */
export interface WebPushProvider extends TestablePushProvider, KeyedPushProvider {}

/** The most bytes of a message: a body of 4,096 less what RFC 8188 adds. */
const LIMIT = 3993
const DAY = 24 * 3600
/** A subscription that no browser has: the keys are those of the example in RFC 8291. */
const NO_BROWSER = {
  endpoint: 'https://push.invalid/',
  keys: {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
}

/**
 * A push provider for browsers: Web Push (RFC 8030), encrypted (RFC 8291), signed with a VAPID key (RFC 8292). The address of a device is the JSON
 * text of its subscription; requests go to https endpoints alone, through the server's address guard. Throws `value_not_allowed` for an unusable key.
 *
 * @example
 * createSyncServer({ store, sources, pushProviders: { webpush: webPush({ privateKey, subject: 'mailto:ops@example.org' }) } })
 */
export function webPush({ privateKey, subject, ttl = DAY, clock = Date.now }: WebPushOptions): WebPushProvider {
  const publicKey = publicKeyOf(privateKey)
  if (!/^(mailto:.+@.+|https:\/\/.+)$/.test(subject))
    throw invalidOption('webpush.subject', 'a mailto: or https: address', JSON.stringify(subject))

  const requestFor = (subscription: webpush.PushSubscription, message: PushMessage) => {
    const topic = collapseKey(message)
    return webpush.generateRequestDetails(subscription, encodeWithin(message, LIMIT, JSON.stringify), {
      TTL: ttl,
      urgency: message.message === undefined ? 'normal' : 'high',
      ...(topic !== undefined && { topic }),
      vapidDetails: { subject, publicKey, privateKey },
    })
  }

  return {
    publicKey,
    async send(message: PushMessage, { pin, signal, fetch, isDryRun }: PushTarget): Promise<PushVerdict> {
      const { endpoint, headers, body } = requestFor(readSubscription(pin), message)
      if (isDryRun) return 'sent'
      const response = await fetch(endpoint, { method: 'POST', headers: textsOf(headers), body, signal })
      return verdictOf(response, clock())
    },
    // Signs and encrypts a message for a subscription that no browser has.
    async test() {
      requestFor(NO_BROWSER, { do_sync: [] })
      return `messages are signed with the public key ${publicKey}`
    },
  }
}

const textsOf = (headers: object): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

function verdictOf({ status, headers, body }: GuardedResponse, now: number): PushVerdict {
  if (status >= 200 && status < 300) return 'sent'
  if (status === 404 || status === 410) return 'gone'
  if (status === 429 || status >= 500) return { retryAfter: retryAfterOf(headers['retry-after'] ?? null, now) }
  const hint =
    status === 401 || status === 403 ? '; the browser subscribed with another VAPID key, or the clock is wrong' : ''
  throw refusedBy('The push service', status, `${body.trim().slice(0, 200)}${hint}`)
}
