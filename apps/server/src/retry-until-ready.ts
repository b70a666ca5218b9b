import { setTimeout as pause } from 'node:timers/promises'
import { isSyncError } from '@godwit/protocol'

/** How often a start is tried while the store is away, as it is for moments when another of its servers takes over. */
const ATTEMPTS = 10

/** Milliseconds before the next. */
const PAUSE = 1000

/** Does again, a few times, what may be done again, when the store was away for a moment. `away` hears of each. */
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
