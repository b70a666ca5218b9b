import { SyncError } from '@godwit/protocol'

/** A transaction ends when its function returns: one that goes on later would write outside of it. `what`: the subject of the message. */
export function synchronousResult<T>(result: T, what = 'A transaction'): T {
  if (typeof (result as { then?: unknown } | null | undefined)?.then !== 'function') return result
  throw new SyncError(
    'value_not_allowed',
    `${what} is synchronous: expected a function that returns its result, got a promise.`,
  )
}
