import type { CollectionId, Head } from '@godwit/store'
import type { Engine } from '../engine.js'
import { type CollectionPath, resolveCollection } from '../sources/resolve-collection.js'
import type { Source } from '../sources/source.js'

/** True if a query of the collection is due: it was requested, or its time has come. `isHinted`: the pull follows a change event. */
export function isDue(
  { methods, pollInterval }: Pick<Source, 'methods' | 'pollInterval'>,
  head: Head,
  now: number,
  isHinted = false,
): boolean {
  if (methods.query === undefined) return false
  if (head.asked > head.served) return true
  // A query changes objects, which notifies listeners: a query per notified pull would never end.
  if (pollInterval === 0) return !isHinted || head.queriedAt === undefined
  if (head.nextQuery === undefined) return pollInterval > 0
  return now >= head.nextQuery || (pollInterval > 0 && wasSetBack(head, now + pollInterval * 1000, now))
}

/** Milliseconds by which clocks may differ before one counts as set back. */
const SKEW = 60_000

/** True if the last query ended in the future and the next is later than its interval allows: the clock was set back since. */
const wasSetBack = ({ queriedAt = 0, nextQuery = 0 }: Head, latest: number, now: number): boolean =>
  queriedAt > now + SKEW && nextQuery > latest + SKEW

/** Returns when the query after one at `now` is due, in milliseconds since 1970; undefined without polling. */
export const nextQueryAt = ({ pollInterval }: Pick<Source, 'pollInterval'>, now: number): number | undefined =>
  pollInterval > 0 ? now + pollInterval * 1000 : undefined

/**
 * Returns the time of the next attempt. Devices that wait for a first query have no data yet, so it is retried soon, however long the interval is.
 */
export function nextAttemptAt(
  engine: Engine,
  source: Source,
  collection: CollectionId,
  begun: Head | undefined,
): number | undefined {
  const now = engine.clock()
  const next = nextQueryAt(source, now)
  if (next === undefined || begun === undefined || begun.queriedAt !== undefined) return next
  return Math.min(next, now + engine.queryRuns.firstFailures.pause(collection, begun.epoch))
}

/** Makes a partition due after the given seconds, or at the next pull; it then runs once even without polling. */
export async function setReadState(
  engine: Pick<Engine, 'store' | 'sources' | 'clock'>,
  { seconds, ...of }: CollectionPath & { readonly seconds: number | undefined },
): Promise<void> {
  const { collections } = engine.store
  const { collection } = await resolveCollection(engine, of)
  // Opened so that a partition that was never pulled records it too.
  await collections.open(collection)
  await collections.requestQuery(collection, seconds === undefined ? undefined : engine.clock() + seconds * 1000)
}
