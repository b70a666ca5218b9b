import { isSyncError, SyncError } from '@godwit/protocol'

/**
 * Makes the error with which a source refuses a mutation: `throw refusal('A rating is 1 to 5.')`; the device shows the message and rolls the change
 * back. Any other error means that the backend may have made the change.
 */
export const refusal = (message: string): SyncError => new SyncError('refused', message)

/**
 * Makes the error with which `update` or `delete` says that the object does not exist, or not in the partition of the call: `throw gone()`. The device
 * then removes it, unless it has the object in another partition, to which it sends the change.
 */
export const gone = (message = 'The object has been removed from the server.'): SyncError =>
  new SyncError('gone', message)

/** True for an error by which a source says that an object does not exist. */
export const isGone = (error: unknown): error is SyncError => isSyncError(error) && error.code === 'gone'

/**
 * Makes an error with a message for users: `throw failure('The warehouse is being counted until 8.')`. The message of any other error goes only to
 * the log, and devices get a general one.
 */
export const failure = (message: string): SyncError => new SyncError('backend_failed', message)

/** True for an error by which a source refuses a write. */
export const isRefusal = (error: unknown): error is SyncError => isSyncError(error) && error.code === 'refused'

/** Returns the message of any thrown value. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
