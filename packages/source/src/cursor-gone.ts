import { isSyncError, SyncError } from '@godwit/protocol'

/**
 * Makes the error with which `changes` and `feed` say that the backend cannot continue from a cursor: `throw cursorGone('the log starts at 812')`.
 * The server starts over from `null` and compares, so devices receive only what differs. `reason` is for the log and the console.
 */
export const cursorGone = (reason = 'the backend does not know the cursor'): SyncError =>
  new SyncError('cursor_gone', `expected a cursor to continue from, got one that is gone: ${reason}.`)

/** True for an error made by `cursorGone`, also by another copy of this package. */
export const isCursorGone = (error: unknown): error is SyncError => isSyncError(error) && error.code === 'cursor_gone'
