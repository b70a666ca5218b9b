import { isSyncError, SyncError } from '@godwit/protocol'

/** What keeps a directory from being a device, a file of that name or missing rights, as the one error that the SDK throws. */
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
