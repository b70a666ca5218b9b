import type { ObjectId } from '@godwit/protocol'
import type { AdvancedBatch, AdvanceOptions, Batch, CollectionId, RefusedWrite } from '../collections.js'
import { advancement, attributesText, changesByObject, judgeAdvance, nextQueryAfter } from '../history/index.js'
import type { MemoryCollection } from './memory-collection.js'
import { find, type MemoryState } from './memory-state.js'

export interface Advance {
  readonly collection: CollectionId
  readonly batch: Pick<Batch, 'replace' | 'remove'>
  readonly options: AdvanceOptions
}

/** Applies reported changes with their cursor. Synchronous after the check, and therefore atomic. */
export function advance(
  world: MemoryState,
  { collection, batch, options }: Advance,
): AdvancedBatch | RefusedWrite<'epoch' | 'fence' | 'floor' | 'cursor'> {
  const changes = changesByObject(batch)
  const found = find(world, collection)
  const fence = found?.fences.get(options.reader) ?? 0
  const refused = judgeAdvance(found?.head(), options, { fence, cursor: found?.cursor ?? null })
  if (refused || !found) return refused ?? { refused: 'epoch' }
  found.fences.set(options.reader, options.fence)
  const texts = new Map<ObjectId, string | null>()
  const spared: ObjectId[] = []
  for (const [id, { replace, remove }] of changes) {
    const text = remove || !replace ? null : attributesText(replace)
    const verdict = advancement(found.rows.get(id), text, options.since)
    if (verdict === 'spare') spared.push(id)
    if (verdict === 'write' || (verdict === 'equal' && found.keepsEqual(id))) texts.set(id, text)
  }
  const applied = found.write(texts, { kind: 'query' })
  if (spared.length === 0) recordPosition(found, options)
  return { ...applied, spared }
}

function recordPosition(collection: MemoryCollection, { cursor, end }: AdvanceOptions): void {
  if (cursor !== undefined) collection.cursor = cursor.next
  if (end === undefined) return
  collection.queriesServed = Math.max(collection.queriesServed, end.queriesRequested)
  collection.sourceError = undefined
  collection.queryAgainAt(nextQueryAfter(end, undefined, collection.head().readAt))
}
