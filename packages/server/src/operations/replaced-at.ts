import type { WriteResult } from '@godwit/protocol'
import type { Engine } from '../engine.js'
import { isDue } from '../query/schedule.js'
import { collectionOf } from '../sources/partition-of.js'

/** The latest possible date: the query runs only on request. */
const LAST_TIME = 8_640_000_000_000_000

/**
 * Returns the result of a backend's write with the time at which the source's next query replaces it. The time is absent if the source has no query.
 */
export async function withReplacedAt(
  { sources, store, clock }: Pick<Engine, 'sources' | 'store' | 'clock'>,
  { source: name, user }: { readonly source: string; readonly user: string },
  written: WriteResult,
): Promise<WriteResult> {
  const source = sources.find(name)
  if (source?.methods.query === undefined) return written
  const head = await store.collections.head(collectionOf(source, user))
  if (head === undefined) return written
  const now = clock()
  const next = isDue(source, head, now) ? now : head.nextQuery
  return { ...written, replaced_at: next === undefined || next >= LAST_TIME ? null : new Date(next).toISOString() }
}
