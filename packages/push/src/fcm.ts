import type { PushMessage } from '@godwit/protocol'
import type { PushTarget, PushVerdict, TestablePushProvider } from '@godwit/source'
import { fcmMessage } from './fcm-message.js'
import { encodeWithin } from './message.js'
import { refusedBy } from './refused.js'
import { retryAfterOf } from './retry-after.js'
import { AccessTokens, readServiceAccount } from './service-account.js'

/** The options of {@link fcm}. */
export interface FcmOptions {
  /** The JSON text of the service account's key file (Firebase console, Project settings, Service accounts). */
  readonly account: string
  /** The title above the text of a message. Default: Android shows the app's name. */
  readonly title?: string | undefined
  /** The Android notification channel. Default: the app's default channel. */
  readonly channel?: string | undefined
  /** Seconds for which FCM keeps a message for a device that is offline. Default a day. */
  readonly ttl?: number | undefined
  /** Origin of the FCM API, for a proxy. Default `https://fcm.googleapis.com`. */
  readonly origin?: string | undefined
  /** Default: the platform's. */
  readonly fetch?: typeof fetch | undefined
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly clock?: (() => number) | undefined
}

/** The most bytes of a message. */
const LIMIT = 4096
const DAY = 24 * 3600
/** A topic without subscribers, since a validated message needs a recipient. */
const TEST_TOPIC = 'godwit-dry-run'

/**
 * A push provider for Firebase Cloud Messaging, by its HTTP v1 API. Throws `value_not_allowed` for an unusable account.
 *
 * @example
 * createSyncServer({ store, sources, pushProviders: { fcm: fcm({ account: readFileSync('account.json', 'utf8') }) } })
 */
export function fcm({
  account: text,
  title,
  channel,
  ttl = DAY,
  origin = 'https://fcm.googleapis.com',
  fetch: send = fetch,
  clock = Date.now,
}: FcmOptions): TestablePushProvider {
  const account = readServiceAccount(text)
  const tokens = new AccessTokens({ account, fetch: send, clock })
  const url = `${origin}/v1/projects/${encodeURIComponent(account.project_id)}/messages:send`
  const style = { title, channel, ttl }

  async function post(body: string, signal: AbortSignal): Promise<Response> {
    const token = await tokens.get()
    const response = await send(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body,
      signal,
    })
    if (response.status === 401) await tokens.forget(token)
    return response
  }

  /** Sends once more with a new token if the first was refused. */
  async function postTwice(body: string, signal: AbortSignal): Promise<Response> {
    const response = await post(body, signal)
    if (response.status !== 401) return response
    await response.body?.cancel()
    return post(body, signal)
  }

  return {
    async send(message: PushMessage, { pin, signal, isDryRun }: PushTarget): Promise<PushVerdict> {
      const encode = (one: PushMessage): string =>
        JSON.stringify({ ...(isDryRun && { validate_only: true }), message: fcmMessage(one, { token: pin }, style) })
      // The limit of FCM is of its payload; the request has the address beside it.
      const response = await postTwice(encodeWithin(message, LIMIT + pin.length, encode), signal)
      return verdictOf(response, clock())
    },
    // FCM validates the message and does not deliver it.
    async test(signal) {
      const message = fcmMessage({ do_sync: [] }, { topic: TEST_TOPIC }, style)
      const response = await postTwice(JSON.stringify({ validate_only: true, message }), signal)
      const verdict = await verdictOf(response, clock())
      if (verdict === 'sent') return `FCM accepts messages of the project ${account.project_id}`
      throw refusedBy('FCM', response.status, verdict === 'gone' ? 'the topic is gone' : 'it asks to try again later')
    },
  }
}

async function verdictOf(response: Response, now: number): Promise<PushVerdict> {
  const { status, headers } = response
  const text = await response.text()
  if (response.ok) return 'sent'
  const { code, message } = problemOf(text)
  if (code === 'UNREGISTERED') return 'gone'
  if (status === 429 || status >= 500) return { retryAfter: retryAfterOf(headers.get('retry-after'), now) }
  throw refusedBy('FCM', status, [code, message].filter(part => part !== '').join(', '))
}

/** Returns FCM's own error code, else the general status, and the message. */
function problemOf(text: string): { readonly code: string; readonly message: string } {
  try {
    const { error } = JSON.parse(text) as {
      readonly error?: {
        readonly status?: string
        readonly message?: string
        readonly details?: readonly { readonly errorCode?: string }[]
      }
    }
    const code = error?.details?.find(({ errorCode }) => errorCode !== undefined)?.errorCode ?? error?.status ?? ''
    return { code, message: error?.message ?? '' }
  } catch {
    return { code: '', message: text }
  }
}
