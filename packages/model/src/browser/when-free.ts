import { SyncError } from '@godwit/protocol'

/** Milliseconds: handles of a worker that ended are free some time after its locks are, under load seconds. */
const PATIENCE = 10_000
const FIRST_WAIT = 10
const LONGEST_WAIT = 200

/** Opens or removes what another worker may still have, once it is free. Rejects with what to do where it stays held. */
export async function whenFree<T>(use: () => Promise<T>): Promise<T> {
  const begun = performance.now()
  for (let wait = FIRST_WAIT; ; wait = Math.min(wait * 1.5, LONGEST_WAIT))
    try {
      return await use()
    } catch (error) {
      if (!isTaken(error)) throw error
      if (performance.now() - begun > PATIENCE) throw stillTaken(error)
      await new Promise(resolve => setTimeout(resolve, wait))
    }
}

const stillTaken = (cause: unknown): SyncError =>
  new SyncError(
    'database_failed',
    `The local database failed: another worker has its files, and did not let go within ${PATIENCE / 1000} seconds. Close the other tabs of this app, and reload this one.`,
    { cause },
  )

const isTaken = (error: unknown): boolean => (error as { name?: unknown }).name === 'NoModificationAllowedError'
