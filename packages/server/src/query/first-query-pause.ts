import type { CollectionId } from '@godwit/store'
import type { Engine } from '../engine.js'

/** Milliseconds from the first failure of a first query to the next attempt; each further one waits twice as long. */
const FIRST_PAUSE = 5_000
const LONGEST_PAUSE = 300_000
const MOST = 10_000

const failures = new WeakMap<Engine, Map<string, number>>()

/** Milliseconds until a first query that failed is tried again. Forgetting how often it failed costs a call, not a fact. */
export function pauseOfFirst(engine: Engine, { source, partition }: CollectionId, epoch: string): number {
  const known = failures.get(engine) ?? new Map<string, number>()
  failures.set(engine, known)
  const key = JSON.stringify([source, partition, epoch])
  const failed = known.get(key) ?? 0
  if (known.size >= MOST) known.clear()
  known.set(key, failed + 1)
  return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** failed)
}

/** Its first query has succeeded. */
export function forgetFirst(engine: Engine, { source, partition }: CollectionId, epoch: string): void {
  failures.get(engine)?.delete(JSON.stringify([source, partition, epoch]))
}
