import type { Head } from '@godwit/store'
import type { Source } from './source.js'

type PolledSource = Pick<Source, 'methods' | 'pollInterval'>

/** Whether the collection's first query is still to come. Until then nothing tells which objects the backend has. */
export function awaitsFirstQuery({ methods, pollInterval }: PolledSource, head: Head): boolean {
  if (methods.query === undefined || head.queriedAt !== undefined) return false
  // A time that somebody set and that no failure stands behind is no first query on its way.
  const isPutOff = head.nextQuery !== undefined && head.sourceError === undefined
  return (pollInterval >= 0 && !isPutOff) || head.asked > head.served
}

/** Whether what a device has may be more than what is here, since a first query is to come or has failed. */
export const isUnqueried = (source: PolledSource, head: Head): boolean =>
  awaitsFirstQuery(source, head) ||
  (source.methods.query !== undefined && head.queriedAt === undefined && head.sourceError !== undefined)
