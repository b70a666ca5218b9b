import { SyncError } from '@godwit/protocol'

/** The last millisecond that `Date` can represent, in the year 275760. */
const LAST_TIME = 8.64e15

/** Returns the expiry of a record, if any. Throws `value_not_allowed` for an invalid time, which stores would represent differently. */
export function recordEnd(expiresAt: number | undefined): number | undefined {
  if (expiresAt === undefined || (expiresAt >= 0 && expiresAt <= LAST_TIME)) return expiresAt
  throw new SyncError(
    'value_not_allowed',
    `expiresAt: expected 0 to ${LAST_TIME} milliseconds since 1970, or undefined for never, got ${expiresAt}.`,
  )
}
