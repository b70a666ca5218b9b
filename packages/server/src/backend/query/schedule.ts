import type { Source } from '@godwit/source'
import { type CollectionId, type Head, isFromClockAhead } from '@godwit/store'
import type { BackendEngine } from '../backend-engine.js'
import { LAST_TIME } from '../sources/last-time.js'
import { isReadable, type ReadSettings, readInterval } from '../sources/reads.js'

/**
 * True if a query of the collection is due by its head: it was requested, or its time has come. Times of a head are compared with each other only,
 * since the clocks of servers and stores differ. `isHinted`: the pull follows a change event.
 */
export function isDue(source: Pick<Source, 'methods'> & ReadSettings, head: Head, isHinted = false): boolean {
  const { feed, pollInterval } = source
  if (!isReadable(source)) return false
  if (head.queriesRequested > head.queriesServed) return true
  // A feed tells only of changes, so a partition is read once, whatever the interval.
  if (feed !== undefined && head.queriedAt === undefined && head.nextQuery === undefined) return true
  // A query changes objects, which notifies listeners: a query per notified pull would never end.
  if (pollInterval === 0 && (!isHinted || head.queriedAt === undefined)) return true
  return head.nextQuery === undefined ? readInterval(source) > 0 : isTimeOver(head)
}

/** True if the time of the next query has come. */
export const isTimeOver = (head: Head): boolean =>
  head.nextQuery !== undefined && (head.readAt >= head.nextQuery || (head.nextQuery < LAST_TIME && wasSetAhead(head)))

/** True if the time of the next query was set while the store's clock was ahead: it would come too late. */
const wasSetAhead = ({ readAt, queriedAt = 0, dueSetAt = queriedAt }: Head): boolean =>
  isFromClockAhead(dueSetAt, readAt)

/** Returns the milliseconds from the end of a query until the next one is due; undefined without polling. */
export function pollMilliseconds(source: ReadSettings): number | undefined {
  const seconds = readInterval(source)
  return seconds > 0 ? seconds * 1000 : undefined
}

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
  if (begun === undefined || begun.queriedAt !== undefined || (next === undefined && source.feed === undefined))
    return next
  return Math.min(next ?? Number.POSITIVE_INFINITY, now + engine.queryRuns.firstFailures.pause(collection, begun.epoch))
}
