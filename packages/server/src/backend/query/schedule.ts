import type { Source } from '@godwit/source'
import { type CollectionId, type Head, isFromClockAhead } from '@godwit/store'
import type { BackendEngine } from '../backend-engine.js'
import { LAST_TIME } from '../sources/last-time.js'

/**
 * True if a query of the collection is due by its head: it was requested, or its time has come. Times of a head are compared with each other only,
 * since the clocks of servers and stores differ. `isHinted`: the pull follows a change event.
 */
export function isDue(
  { methods, pollInterval }: Pick<Source, 'methods' | 'pollInterval'>,
  head: Head,
  isHinted = false,
): boolean {
  if (methods.query === undefined) return false
  if (head.asked > head.served) return true
  // A query changes objects, which notifies listeners: a query per notified pull would never end.
  if (pollInterval === 0 && (!isHinted || head.queriedAt === undefined)) return true
  return head.nextQuery === undefined ? pollInterval > 0 : isTimeOver(head)
}

/** True if the time of the next query has come. */
export const isTimeOver = (head: Head): boolean =>
  head.nextQuery !== undefined && (head.readAt >= head.nextQuery || (head.nextQuery < LAST_TIME && wasSetAhead(head)))

/** True if the time of the next query was set while the store's clock was ahead: it would come too late. */
const wasSetAhead = ({ readAt, queriedAt = 0, dueSetAt = queriedAt }: Head): boolean =>
  isFromClockAhead(dueSetAt, readAt)

/** Returns the milliseconds from the end of a query until the next one is due; undefined without polling. */
export const pollMilliseconds = ({ pollInterval }: Pick<Source, 'pollInterval'>): number | undefined =>
  pollInterval > 0 ? pollInterval * 1000 : undefined

/**
 * Returns the time of the next attempt. A first query, for which devices wait without data, and one that should confirm removals are retried soon,
 * however long the interval is.
 */
export async function nextAttemptAt(
  engine: BackendEngine,
  source: Source,
  collection: CollectionId,
  begun: Head | undefined,
): Promise<number | undefined> {
  const now = await engine.store.now()
  const interval = pollMilliseconds(source)
  const next = interval === undefined ? undefined : now + interval
  if (begun?.pendingRemovals?.user !== undefined)
    return Math.min(next ?? Number.POSITIVE_INFINITY, now + engine.limits.confirmRemovals * 1000)
  if (next === undefined || begun === undefined || begun.queriedAt !== undefined) return next
  return Math.min(next, now + engine.queryRuns.firstFailures.pause(collection, begun.epoch))
}
