import { isSyncError, SyncError } from '@godwit/protocol'

/**
 * What a source throws to refuse a mutation: `throw refusal('A rating is 1 to 5.')`; the device shows the message and rolls the change back. Any other error
 * means that it is not known whether the backend did it.
 */
export const refusal = (message: string): SyncError => new SyncError('refused', message)

/**
 * What a source throws to fail with words for users: `throw failure('The warehouse is being counted until 8.')`. Of any other error devices hear
 * only that the backend failed; the log has it.
 */
export const failure = (message: string): SyncError => new SyncError('backend_failed', message)

/** True for an error by which a source refuses a write. */
export const isRefusal = (error: unknown): error is SyncError => isSyncError(error) && error.code === 'refused'

/** The message of whatever was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
