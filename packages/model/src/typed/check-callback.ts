import { SyncError } from '@godwit/protocol'

/** Returns the callback of an `observe`. Throws `value_not_allowed` for anything else, as it would fail only when rows arrive. */
export function checkCallback<Callback>(callback: Callback): Callback {
  if (typeof callback === 'function') return callback
  const message = `observe: expected a function as its last argument, got ${typeof callback}.`
  throw new SyncError('value_not_allowed', message)
}
