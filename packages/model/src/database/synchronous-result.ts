import { SyncError } from '@godwit/protocol'

/**
 * Returns the result of a transaction's function. Throws if it is a promise, because later writes would be outside the transaction; `what` is the
 * subject of the message.
 */
export function synchronousResult<T>(result: T, what = 'A transaction'): T {
  if (typeof (result as { then?: unknown } | null | undefined)?.then !== 'function') return result
  throw new SyncError(
    'value_not_allowed',
    `${what} is synchronous: expected a function that returns its result, got a promise.`,
  )
}
