import { setTimeout as pause } from 'node:timers/promises'
import { SyncError } from '@godwit/protocol'

/** How often what was worked out may turn out to be of yesterday. */
const ATTEMPTS = 30

/** The longest pause before the next, in milliseconds: those who are in each other's way meet again at different times. */
const MAX_PAUSE = 100

/** Tries until what was worked out from what is stored finds it as it was; `store_unavailable` when others change it all the time. */
export async function retryWhileStale<Answer>(attempt: () => Promise<Answer | 'stale'>): Promise<Answer> {
  for (let count = 1; count <= ATTEMPTS; count++) {
    const answer = await attempt()
    if (answer !== 'stale') return answer
    await pause(Math.random() * Math.min(2 ** count, MAX_PAUSE))
  }
  const message = `Others changed the same ${ATTEMPTS} times while this was worked out: nothing was written. Try again.`
  throw new SyncError('store_unavailable', message, { retryable: true })
}
