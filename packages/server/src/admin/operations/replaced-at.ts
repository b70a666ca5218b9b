import type { WriteResult } from '@godwit/protocol'
import { isDue } from '../../backend/query/schedule.js'
import { LAST_TIME } from '../../backend/sources/last-time.js'
import { collectionOf } from '../../backend/sources/partition-of.js'
import { isReadable } from '../../backend/sources/reads.js'
import type { AdminEngine } from '../admin-engine.js'

/**
 * Returns the result of a backend's write with the time at which the source's next query replaces it. The time is absent if the source has no query.
 */
export async function withReplacedAt(
  { sources, store }: Pick<AdminEngine, 'sources' | 'store'>,
  { source: name, user }: { readonly source: string; readonly user: string },
  written: WriteResult,
): Promise<WriteResult> {
  const source = sources.find(name)
  if (source === undefined || !isReadable(source)) return written
  const head = await store.collections.head(collectionOf(source, user))
  if (head === undefined) return written
  const next = isDue(source, head) ? head.readAt : head.nextQuery
  return { ...written, replaced_at: next === undefined || next >= LAST_TIME ? null : new Date(next).toISOString() }
}
