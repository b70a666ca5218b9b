import { setTimeout as pause } from 'node:timers/promises'
import { isSyncError } from '@godwit/protocol'

/** The number of attempts while the store is unavailable, as during a Redis failover. */
const ATTEMPTS = 10

/** Milliseconds between attempts. */
const PAUSE = 1000

/** Retries work that may be repeated while the store is unavailable. `away` is called for each failure. */
export async function retryUntilReady<Result>(
  work: () => Promise<Result>,
  away: (error: Error) => void,
  milliseconds = PAUSE,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const isAway = isSyncError(error) && error.code === 'store_unavailable' && error.retryable
      if (!isAway || attempt === ATTEMPTS) throw error
      away(error)
      await pause(milliseconds)
    }
  }
}
