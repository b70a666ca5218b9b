import { createHash } from 'node:crypto'
import { type PushMessage, SyncError } from '@godwit/protocol'

/** Returns true if a message shows nothing: it only makes the device sync. */
export const isSilent = ({ message, badge, sound, vibrate }: PushMessage): boolean =>
  message === undefined && badge === undefined && sound === undefined && vibrate === undefined

/**
 * Returns the name under which a push service replaces a waiting message by the next one: one for each set of sources, at most 32 characters of
 * base64url. Undefined for a message that shows something, since each of those is delivered.
 */
export const collapseKey = (message: PushMessage): string | undefined =>
  isSilent(message)
    ? createHash('sha256').update(JSON.stringify(message.do_sync)).digest('base64url').slice(0, 32)
    : undefined

/** Returns the badge as a number, as icons show it; undefined if it is another text. */
export const badgeNumber = ({ badge }: PushMessage): number | undefined =>
  typeof badge === 'number' ? Math.max(0, Math.trunc(badge)) : /^\d{1,9}$/.test(badge ?? '') ? Number(badge) : undefined

/**
 * Returns the encoded message in at most `limit` bytes, with its text shortened if necessary. Throws `value_not_allowed` if it does not fit without
 * its text either.
 */
export function encodeWithin(message: PushMessage, limit: number, encode: (message: PushMessage) => string): string {
  const whole = encode(message)
  const size = Buffer.byteLength(whole)
  if (size <= limit) return whole
  const characters = [...(message.message ?? '')]
  // Removing a character removes at least one byte, so the search ends.
  for (let length = characters.length - 1; length > 0; ) {
    const text = encode({ ...message, message: `${characters.slice(0, length).join('').trimEnd()}…` })
    const excess = Buffer.byteLength(text) - limit
    if (excess <= 0) return text
    length -= Math.max(1, Math.floor(excess / MOST_BYTES))
  }
  throw new SyncError(
    'value_not_allowed',
    `expected a push message of at most ${limit} bytes, got ${size}: name fewer sources`,
  )
}

/** The most bytes that JSON writes for a character: an escaped pair of surrogates. */
const MOST_BYTES = 12
