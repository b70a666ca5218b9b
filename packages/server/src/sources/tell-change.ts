import type { CollectionId } from '@godwit/store'
import type { Engine } from '../engine.js'
import { announceChange } from './channels.js'
import { messageOf } from './refusal.js'

type Telling = Pick<Engine, 'store' | 'log'>

/** Of each store: the collections whose change is about to be announced. */
const changed = new WeakMap<Telling['store'], Map<string, CollectionId>>()

/** A hint that a collection changed, the same for all that changed in it at the same time: nobody waits for it, and losing it costs time only. */
export function tellChange({ store, log }: Telling, collection: CollectionId): void {
  const waiting = changed.get(store) ?? new Map<string, CollectionId>()
  changed.set(store, waiting)
  const isFirst = waiting.size === 0
  waiting.set(JSON.stringify([collection.source, collection.partition]), collection)
  // Those that go on in the same turn add theirs before.
  if (isFirst) queueMicrotask(() => announceAll({ store, log }, waiting))
}

function announceAll({ store, log }: Telling, waiting: Map<string, CollectionId>): void {
  const all = [...waiting.values()]
  waiting.clear()
  for (const collection of all)
    announceChange(store, collection).catch(error =>
      log.warn({ error: messageOf(error), source: collection.source }, 'a change was not announced'),
    )
}
