import type { CollectionId } from '@godwit/store'
import type { Engine } from '../engine.js'
import { announceChange } from './channels.js'
import { messageOf } from './refusal.js'

type TellEngine = Pick<Engine, 'store' | 'log'>

interface CollectionChange {
  readonly collection: CollectionId
  readonly by: string | undefined
}

/** Of each store: the collections whose change is about to be announced. */
const changed = new WeakMap<TellEngine['store'], Map<string, CollectionChange>>()

/**
 * Publishes a hint that a collection changed, one for all changes at the same time. It is not awaited, and losing it only costs time.
 * `by` is the client that made the change and has it.
 */
export function tellChange({ store, log }: TellEngine, collection: CollectionId, by?: string): void {
  const waiting = changed.get(store) ?? new Map<string, CollectionChange>()
  changed.set(store, waiting)
  const isFirst = waiting.size === 0
  const key = JSON.stringify([collection.source, collection.partition])
  const known = waiting.get(key)
  waiting.set(key, { collection, by: known && known.by !== by ? undefined : by })
  // Those that go on in the same turn add theirs before.
  if (isFirst) queueMicrotask(() => announceAll({ store, log }, waiting))
}

function announceAll({ store, log }: TellEngine, waiting: Map<string, CollectionChange>): void {
  const all = [...waiting.values()]
  waiting.clear()
  for (const { collection, by } of all)
    announceChange(store, collection, by).catch(error =>
      log.warn({ error: messageOf(error), source: collection.source }, 'a change was not announced'),
    )
}
