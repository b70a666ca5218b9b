import type { CollectionId, Head } from '@godwit/store'
import type { Engine } from '../engine.js'
import { type CollectionPath, resolveCollection } from '../sources/resolve-collection.js'
import type { Source } from '../sources/source.js'

/** Whether a query of the collection is due: somebody asked for one, or its time has come. `isHinted`: the device that pulls was told of a change. */
export function isDue(
  { methods, pollInterval }: Pick<Source, 'methods' | 'pollInterval'>,
  head: Head,
  now: number,
  isHinted = false,
): boolean {
  if (methods.query === undefined) return false
  if (head.asked > head.served) return true
  // What a query changes is told to all who listen: a query for each who hears it would go round for ever.
  if (pollInterval === 0) return !isHinted || head.queriedAt === undefined
  if (head.nextQuery === undefined) return pollInterval > 0
  return now >= head.nextQuery || (pollInterval > 0 && wasSetBack(head, now + pollInterval * 1000, now))
}

/** How far clocks may differ before one counts as set back, in milliseconds. */
const SKEW = 60_000

/** A query that ended in the future, after which the next is further off than its interval: the clock was set back since. */
const wasSetBack = ({ queriedAt = 0, nextQuery = 0 }: Head, latest: number, now: number): boolean =>
  queriedAt > now + SKEW && nextQuery > latest + SKEW

/** When the query after one at `now` is due, in milliseconds since 1970; undefined where no time is set. */
export const nextQueryAt = ({ pollInterval }: Pick<Source, 'pollInterval'>, now: number): number | undefined =>
  pollInterval > 0 ? now + pollInterval * 1000 : undefined

/** Who waits for a first query has nothing yet: it is tried again soon, however long the interval is. */
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

/** Makes a partition due after the given seconds, or at the next pull; it then runs once even where polling is off. */
export async function setReadState(
  engine: Pick<Engine, 'store' | 'sources' | 'clock'>,
  { seconds, ...of }: CollectionPath & { readonly seconds: number | undefined },
): Promise<void> {
  const { collections } = engine.store
  const { collection } = await resolveCollection(engine, of)
  // A partition that was never pulled must remember it too.
  await collections.open(collection)
  await collections.requestQuery(collection, seconds === undefined ? undefined : engine.clock() + seconds * 1000)
}
