import type { Source } from '@godwit/source'
import type { Head } from '@godwit/store'
import { isReadable, type ReadSettings } from './reads.js'

type PolledSource = Pick<Source, 'methods'> & ReadSettings

/** True if the collection's first query is still to come; until then the backend's objects are unknown. */
export function awaitsFirstQuery(source: PolledSource, head: Head): boolean {
  const { feed, pollInterval } = source
  if (!isReadable(source) || head.queriedAt !== undefined) return false
  // A due time set by hand, rather than by a failed query, does not announce a first query.
  const isPutOff = head.nextQuery !== undefined && head.sourceError === undefined
  return ((pollInterval >= 0 || feed !== undefined) && !isPutOff) || head.queriesRequested > head.queriesServed
}

/** True if a device may have more than the collection, because the first query is still to come or has failed. */
export const isUnqueried = (source: PolledSource, head: Head): boolean =>
  awaitsFirstQuery(source, head) ||
  (isReadable(source) && head.queriedAt === undefined && head.sourceError !== undefined)
