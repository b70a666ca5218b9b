import { isSyncError, SyncError } from '@godwit/protocol'

/** Opens a directory. Throws a SyncError if the path is a file or permissions are missing. */
export function openDirectory<Result>(directory: string, open: () => Result): Result {
  try {
    return open()
  } catch (cause) {
    if (isSyncError(cause)) throw cause
    const message = cause instanceof Error ? cause.message : String((cause as { message?: unknown }).message ?? cause)
    throw new SyncError(
      'database_failed',
      `cannot open ${directory === '' ? "''" : directory} as a device: ${message}. Use a directory that can be written.`,
      { cause },
    )
  }
}
