import { setTimeout as pause } from 'node:timers/promises'
import { SyncError } from '@godwit/protocol'

/** How often a stale computation is attempted. */
const ATTEMPTS = 30

/** The longest pause between attempts, in milliseconds. Pauses are random, so that competing writers separate. */
const MAX_PAUSE = 100

/** Repeats an optimistic write until it is not stale. Rejects with `store_unavailable` if others change the data at every attempt. */
export async function retryWhileStale<Answer>(attempt: () => Promise<Answer | 'stale'>): Promise<Answer> {
  for (let count = 1; count <= ATTEMPTS; count++) {
    const answer = await attempt()
    if (answer !== 'stale') return answer
    await pause(Math.random() * Math.min(2 ** count, MAX_PAUSE))
  }
  const message = `Others changed the same ${ATTEMPTS} times while this was worked out: nothing was written. Try again.`
  throw new SyncError('store_unavailable', message, { retryable: true })
}
