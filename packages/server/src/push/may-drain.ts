import type { Head } from '@godwit/store'
import type { Source } from '../sources/source.js'

/** Nothing is sent to a backend before the collection's first query is complete, where there is one to come. */
export function mayDrain({ methods, pollInterval }: Source, head: Head): boolean {
  if (methods.query === undefined || head.queriedAt !== undefined) return true
  return pollInterval < 0 && head.asked <= head.served
}
