/** Seconds to wait where the service does not say how long. */
const DEFAULT_WAIT = 60
/** A day: a push service does not keep messages for longer by default either. */
const LONGEST_WAIT = 24 * 3600

/** Returns the seconds that a `Retry-After` header asks for, in either of its forms, from 1 to a day. Default 60. */
export function retryAfterOf(header: string | null | undefined, now: number): number {
  const text = header?.trim() ?? ''
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000
  return Number.isNaN(seconds) ? DEFAULT_WAIT : Math.min(Math.max(1, Math.ceil(seconds)), LONGEST_WAIT)
}
