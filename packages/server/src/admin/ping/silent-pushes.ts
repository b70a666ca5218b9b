import type { RecordValue } from '@godwit/store'

/** Platforms drop silent messages beyond two or three an hour. */
const CAPACITY = 3
/** Milliseconds until a device has room for one more. */
const REFILL = 20 * 60_000

/** What becomes of a silent message. `visible`: it is sent with a text instead. `throttled`: it is not sent. */
export type SilentVerdict = 'silent' | 'visible' | 'throttled'

/** The decision about a silent message, and what to record of it in the client. */
export interface SilentDecision {
  readonly verdict: SilentVerdict
  readonly change: RecordValue
}

/**
 * Decides about a silent message to a device: up to three go as they are, and one more every 20 minutes. Beyond, one visible message takes the place
 * of all, until there is room again: opening it syncs everything.
 */
export function decideSilent(client: RecordValue, now: number): SilentDecision {
  const at = numberOf(client['push_silent_at'], now)
  const passed = Math.max(0, now - at)
  const room = Math.min(CAPACITY, numberOf(client['push_silent_room'], CAPACITY) + passed / REFILL)
  if (room >= 1)
    return { verdict: 'silent', change: { push_silent_room: room - 1, push_silent_at: now, push_fell_back: null } }
  if (client['push_fell_back'] === true) return { verdict: 'throttled', change: {} }
  return { verdict: 'visible', change: { push_fell_back: true } }
}

const numberOf = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise)
