import type { Attributes, JsonValue } from '@godwit/protocol'
import { defineSource, refusal } from '@godwit/server'
import type { Dice } from '../simulator/world/dice.js'

/** Seconds that a request waits for a query at most, however often the query is retried. */
const QUICK = 0.2

const NONSENSE: readonly JsonValue[] = [null, 0, 'text', [], [1], { a: 1 }, true]

/** Sources of every kind, whose backends do what is asked, refuse, fail, or answer nonsense. */
export function sourcesOf(dice: Dice) {
  const whim = <T>(good: () => T): T => {
    const fate = dice.next()
    if (fate < 0.15) throw refusal('The backend does not want that.')
    if (fate < 0.25) throw new Error('the backend broke')
    return fate < 0.3 ? (dice.any(NONSENSE) as T) : good()
  }
  const objects = () =>
    Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`object${at}`, { value: dice.below(3) }]))
  return [
    defineSource<Attributes>({ name: 'City', partition: 'app', pollInterval: -1, search: () => whim(objects) }),
    defineSource<Attributes>({
      name: 'Visit',
      pollInterval: 0,
      queryTimeout: QUICK,
      idempotent: true,
      maxRemovedShare: 1,
      query: () => whim(objects),
      create: (_, { idempotencyKey }) => whim(() => `made-${idempotencyKey.slice(0, 4)}`),
      update: () => whim(() => undefined),
      delete: () => whim(() => undefined),
      storeBlob: () => whim(() => undefined),
    }),
    defineSource<Attributes>({
      name: 'Note',
      pollInterval: -1,
      queryTimeout: QUICK,
      conflict: 'reject',
      create: () => whim(() => ({ id: 'note' })),
      update: () => whim(() => undefined),
    }),
    defineSource<Attributes>({
      name: 'Bad',
      pollInterval: 0,
      queryTimeout: QUICK,
      query: () => {
        throw new Error('the backend is never there')
      },
      metadata: () => whim(() => ({ about: 'bad' })),
      schema: () => whim(() => ({ version: '1' })),
    }),
    defineSource<Attributes>({ name: 'Bulk', syncType: 'bulk_only', partition: 'app', query: objects }),
  ]
}
