import { SyncError } from '@godwit/protocol'

/** Milliseconds that another worker may still hold the files. File handles of an ended worker become free some time after its locks, under load after seconds. */
const LOCK_TIMEOUT_MS = 10_000
const FIRST_RETRY_MS = 10
const MAX_RETRY_MS = 200

/** Opens or removes a file that another worker may still have open, retrying until it is free. Rejects with advice if it stays locked. */
export async function retryWhileLocked<T>(use: () => Promise<T>): Promise<T> {
  const begun = performance.now()
  for (let wait = FIRST_RETRY_MS; ; wait = Math.min(wait * 1.5, MAX_RETRY_MS))
    try {
      return await use()
    } catch (error) {
      if (!isTaken(error)) throw error
      if (performance.now() - begun > LOCK_TIMEOUT_MS) throw filesTakenError(error)
      await new Promise(resolve => setTimeout(resolve, wait))
    }
}

/** Takes the lock of a device's files, and resolves with the function that releases it. Rejects with advice if another worker keeps the lock. */
export function acquireFilesLock(name: string): Promise<() => void> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), LOCK_TIMEOUT_MS)
  return new Promise((resolve, reject) => {
    const hold = (release: () => void): void => {
      clearTimeout(timer)
      resolve(release)
    }
    navigator.locks
      .request(name, late, () => new Promise<void>(hold))
      .catch((error: unknown) => reject(late.signal.aborted ? filesTakenError(error) : error))
  })
}

const filesTakenError = (cause: unknown): SyncError =>
  new SyncError(
    'database_failed',
    `The local database failed: another worker holds its files and did not release them within ${LOCK_TIMEOUT_MS / 1000} seconds. Close the other tabs of this app, and reload this one.`,
    { cause },
  )

const isTaken = (error: unknown): boolean => (error as { name?: unknown }).name === 'NoModificationAllowedError'
