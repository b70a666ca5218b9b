import { SyncError } from '@godwit/protocol'
import type { PushSubscription } from 'web-push'

/**
 * Reads the subscription of a browser, which devices register as the JSON text that `PushSubscription.toJSON` gives. Throws `value_not_allowed` for
 * another text, and for an endpoint without https.
 */
export function readSubscription(pin: string): PushSubscription {
  const { endpoint, keys } = parse(pin)
  const { p256dh, auth } = keys ?? {}
  if (typeof endpoint !== 'string' || !URL.canParse(endpoint)) throw invalid('an endpoint', 'none')
  const url = new URL(endpoint)
  if (url.protocol !== 'https:') throw invalid('an endpoint with https', `one with ${url.protocol}`)
  if (url.username !== '' || url.password !== '') throw invalid('an endpoint without credentials', 'one with them')
  if (!isBytes(p256dh, 65) || !isBytes(auth, 16)) throw invalid('keys of 65 and 16 bytes', 'others')
  return { endpoint: url.href, keys: { p256dh, auth } }
}

interface Unchecked {
  readonly endpoint?: unknown
  readonly keys?: { readonly p256dh?: unknown; readonly auth?: unknown }
}

function parse(pin: string): Unchecked {
  try {
    const value: unknown = JSON.parse(pin)
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // Not JSON: refused below.
  }
  throw invalid('the JSON of a subscription', 'another text')
}

const isBytes = (text: unknown, length: number): text is string =>
  typeof text === 'string' && Buffer.from(text, 'base64url').length === length

const invalid = (expected: string, got: string): SyncError =>
  new SyncError('value_not_allowed', `expected ${expected} in the push subscription, got ${got}`)
