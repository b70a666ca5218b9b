import { SyncError } from '@godwit/protocol'

/** The last millisecond that a `Date` knows: in the year 275760. */
const LAST_TIME = 8.64e15

/** Returns the end of a record, if it has one. Throws `value_not_allowed` for what is no time, which stores would keep in different ways. */
export function recordEnd(expiresAt: number | undefined): number | undefined {
  if (expiresAt === undefined || (expiresAt >= 0 && expiresAt <= LAST_TIME)) return expiresAt
  throw new SyncError(
    'value_not_allowed',
    `expiresAt: expected 0 to ${LAST_TIME} milliseconds since 1970, or undefined for never, got ${expiresAt}.`,
  )
}
