import { createPrivateKey } from 'node:crypto'
import type { PushMessage } from '@godwit/protocol'
import type { PushTarget, PushVerdict, TestablePushProvider } from '@godwit/source'
import { SignJWT } from 'jose'
import { ApnsConnection, type ApnsResponse } from './apns-connection.js'
import { apnsPayload, apnsUrgency } from './apns-payload.js'
import { collapseKey, encodeWithin } from './message.js'
import { invalidOption, refusedBy } from './refused.js'
import { retryAfterOf } from './retry-after.js'

/** The options of {@link apns}. */
export interface ApnsOptions {
  /** The text of the `.p8` file (Apple Developer, Certificates, Identifiers & Profiles, Keys). */
  readonly key: string
  /** The key's id, 10 characters. */
  readonly keyId: string
  /** The team's id, 10 characters. */
  readonly teamId: string
  /** The bundle id of the app. A device that registered a `device_app_id` is reached by that one. */
  readonly topic: string
  /** True for apps built for development. Default false. */
  readonly sandbox?: boolean | undefined
  /** Seconds for which APNs keeps a message for a device that is offline. Default a day. */
  readonly ttl?: number | undefined
  /** Origin of APNs, for a proxy. Default: Apple's, by `sandbox`. */
  readonly origin?: string | undefined
  /** A certificate authority for that origin, in PEM. Default: those of Node. */
  readonly ca?: string | undefined
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly clock?: (() => number) | undefined
}

/** A push provider with a connection that is kept open. */
export interface ApnsProvider extends TestablePushProvider {
  /** Closes the connection after the open requests. The next message opens another. */
  close(): void
}

/** The most bytes of a payload. */
const LIMIT = 4096
const DAY = 24 * 3600
/** Milliseconds for which a token is used: APNs refuses it after an hour, and new ones more often than every 20 minutes. */
const TOKEN_LIFE = 50 * 60_000
const NO_DEVICE = '0'.repeat(64)

/**
 * A push provider for the Apple Push Notification service, over HTTP/2 with a signing key. Throws `value_not_allowed` for an unusable key.
 *
 * @example
 * createSyncServer({ store, sources, pushProviders: { apns: apns({ key, keyId: 'ABC123DEFG', teamId: 'DEF123GHIJ', topic: 'org.example.visits' }) } })
 */
export function apns(options: ApnsOptions): ApnsProvider {
  const { topic, ttl = DAY, sandbox = false, clock = Date.now } = options
  const { origin = `https://api.${sandbox ? 'sandbox.' : ''}push.apple.com` } = options
  const tokens = new ApnsTokens(options, clock)
  const connection = new ApnsConnection(origin, options.ca)

  async function post(message: PushMessage, device: string, app: string, signal: AbortSignal): Promise<ApnsResponse> {
    const collapse = collapseKey(message)
    const headers = {
      ':path': `/3/device/${encodeURIComponent(device)}`,
      'apns-topic': app,
      'apns-expiration': String(Math.floor(clock() / 1000) + ttl),
      ...apnsUrgency(message),
      ...(collapse !== undefined && { 'apns-collapse-id': collapse }),
    }
    const body = encodeWithin(message, LIMIT, one => JSON.stringify(apnsPayload(one)))
    const token = await tokens.get()
    const send = (signed: string) => connection.post({ ...headers, authorization: `bearer ${signed}` }, body, signal)
    const response = await send(token)
    if (reasonOf(response) !== 'ExpiredProviderToken') return response
    tokens.forget(token)
    return send(await tokens.get())
  }

  return {
    async send(message: PushMessage, { pin, appId = topic, signal, isDryRun }: PushTarget): Promise<PushVerdict> {
      // APNs has no validation without a delivery: all but the request is done.
      if (isDryRun) {
        encodeWithin(message, LIMIT, one => JSON.stringify(apnsPayload(one)))
        await tokens.get()
        return 'sent'
      }
      return verdictOf(await post(message, pin, appId, signal), clock())
    },
    // No device has the address: APNs accepts the key and refuses only that.
    async test(signal) {
      const response = await post({ do_sync: [] }, NO_DEVICE, topic, signal)
      const reason = reasonOf(response)
      if (response.status === 200 || reason === 'BadDeviceToken' || reason === 'Unregistered')
        return `APNs accepts the key ${options.keyId} of the team ${options.teamId}`
      throw refusedBy('APNs', response.status, reason)
    },
    close: () => connection.close(),
  }
}

/** The signed tokens of a key (ES256), each used for 50 minutes. */
class ApnsTokens {
  readonly #options: Pick<ApnsOptions, 'keyId' | 'teamId'>
  readonly #key: ReturnType<typeof createPrivateKey>
  readonly #clock: () => number
  #current: { readonly token: string; readonly from: number } | undefined

  constructor(options: ApnsOptions, clock: () => number) {
    for (const name of ['keyId', 'teamId', 'topic'] as const)
      if (typeof options[name] !== 'string' || options[name] === '')
        throw invalidOption(`apns.${name}`, 'a text', 'none')
    this.#options = options
    this.#clock = clock
    this.#key = readKey(options.key)
  }

  async get(): Promise<string> {
    const now = this.#clock()
    const { token: last, from } = this.#current ?? { token: '', from: Number.NEGATIVE_INFINITY }
    if (now >= from && now - from < TOKEN_LIFE) return last
    const { keyId, teamId } = this.#options
    const token = await new SignJWT({})
      .setProtectedHeader({ alg: 'ES256', kid: keyId })
      .setIssuer(teamId)
      .setIssuedAt(Math.floor(now / 1000))
      .sign(this.#key)
    this.#current = { token, from: now }
    return token
  }

  /** Makes the next call sign a new token, unless the token was replaced meanwhile. */
  forget(token: string): void {
    if (this.#current?.token === token) this.#current = undefined
  }
}

function readKey(text: string): ReturnType<typeof createPrivateKey> {
  try {
    const key = createPrivateKey(text)
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key
  } catch {
    // The error below says what is expected; that of the library may quote the key.
  }
  throw invalidOption('apns.key', 'the text of a .p8 file, a P-256 key in PKCS #8', 'another text')
}

function verdictOf(response: ApnsResponse, now: number): PushVerdict {
  const { status, headers } = response
  if (status === 200) return 'sent'
  if (status === 410) return 'gone'
  if (status === 429 || status >= 500)
    return { retryAfter: retryAfterOf(headers['retry-after'] as string | undefined, now) }
  const reason = reasonOf(response)
  throw refusedBy('APNs', status, HINTS[reason] ?? reason)
}

/** An address of the other environment is refused and kept, since the wrong setting would otherwise clear the addresses of all devices. */
const HINTS: { readonly [reason: string]: string } = {
  BadDeviceToken: 'BadDeviceToken: the address is invalid, or of the other environment; see `sandbox`',
  DeviceTokenNotForTopic: 'DeviceTokenNotForTopic: the address is of another app; see `topic`',
}

function reasonOf({ status, text }: ApnsResponse): string {
  if (status === 200) return ''
  try {
    return String((JSON.parse(text) as { readonly reason?: unknown }).reason ?? '')
  } catch {
    return text
  }
}
