import type { Head, NextQuery, PendingRemovals, ReplaceOptions } from '../collections.js'
import { nearlySame, type RemovedIds } from './removed-ids.js'

/** The size up to which a collection may lose most of its objects. */
const GUARDED_ABOVE = 100

/** What a query's result would remove. */
export interface Removals {
  readonly ids: Pick<RemovedIds, 'count' | 'sketch'>
  /** True if the result has no object. */
  readonly leavesNothing: boolean
}

/**
 * Returns the removals to hold back, or undefined if they may be applied: they are few enough, an operator accepted nearly the same ones, or queries
 * have agreed on them for long enough. A time in the future is from a clock that was ahead: the wait begins again.
 */
export function judgeRemovals(
  head: Pick<Head, 'count' | 'readAt' | 'pendingRemovals' | 'acceptedRemovals'>,
  { maxRemovedShare, confirmation }: Pick<ReplaceOptions, 'maxRemovedShare' | 'confirmation'>,
  { ids: { count, sketch }, leavesNothing }: Removals,
): PendingRemovals | undefined {
  const share = head.count > GUARDED_ABOVE ? count / head.count : 0
  if (share <= maxRemovedShare) return undefined
  if (head.acceptedRemovals !== undefined && nearlySame(head.acceptedRemovals, sketch)) return undefined
  const { readAt: now, pendingRemovals: before } = head
  const isAgreed = before !== undefined && before.since <= now && nearlySame(before.sketch, sketch)
  const since = isAgreed ? before.since : now
  const wait = leavesNothing ? confirmation?.afterNothing : confirmation?.after
  if (isAgreed && wait !== undefined && now - since >= wait) return undefined
  const user = confirmation?.user
  return {
    ...{ count, since, sketch },
    ...(wait !== undefined && { confirmAt: since + wait }),
    ...(wait !== undefined && user !== undefined && { user }),
  }
}

/** Returns when the query after one that ended now is due: no later than the one by which the server may confirm these removals. */
export function nextQueryAfter(
  { nextQueryIn, nextQueryBefore }: Pick<ReplaceOptions, 'nextQueryIn' | 'nextQueryBefore'>,
  pending: PendingRemovals | undefined,
  now: number,
): NextQuery {
  const times = [
    ...(nextQueryIn === undefined ? [] : [now + nextQueryIn]),
    ...(pending?.confirmAt === undefined || pending.user === undefined ? [] : [pending.confirmAt]),
  ]
  return { nextQuery: times.length === 0 ? undefined : Math.min(...times), nextQueryBefore }
}
