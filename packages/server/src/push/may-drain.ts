import type { CollectionId, Head } from '@godwit/store'
import type { Engine } from '../engine.js'
import type { Source } from '../sources/source.js'

/** By engine, epochs of collections that were queried: that stays true for as long as they last. */
const queried = new WeakMap<Pick<Engine, 'store'>, Set<string>>()
const MOST = 100_000

/** Whether the collection of an epoch may be drained, as `mayDrain` says it. */
export async function mayDrainNow(
  engine: Engine,
  source: Source,
  { collection, epoch }: { readonly collection: CollectionId; readonly epoch: string },
): Promise<boolean> {
  const known = queried.get(engine) ?? new Set<string>()
  queried.set(engine, known)
  if (known.has(epoch)) return true
  const head = await engine.store.collections.head(collection)
  if (known.size > MOST) known.clear()
  if (head?.queriedAt !== undefined) known.add(head.epoch)
  return head !== undefined && mayDrain(source, head)
}

/** Nothing is sent to a backend before the collection's first query is complete, where there is one to come. */
export function mayDrain({ methods, pollInterval }: Source, head: Head): boolean {
  if (methods.query === undefined || head.queriedAt !== undefined) return true
  return pollInterval < 0 && head.asked <= head.served
}
