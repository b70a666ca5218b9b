import type { JournalEntry } from '@godwit/store'
import type { Engine } from '../engine.js'

/** Longer than a push may be at its work. */
const LONG = 10 * 60_000
const MOST = 100_000

const firstSeen = new WeakMap<Pick<Engine, 'clock'>, Map<string, number>>()

/**
 * True when no process runs a mutation whose content the journal does not keep. The request that brought it runs it, perhaps after its answer or
 * in another process, and the device sends it again if that process died. It counts as abandoned only after it was seen waiting for long.
 */
export function isAbandoned(
  engine: Pick<Engine, 'clock'>,
  { mutation: { key, operation }, attempts }: JournalEntry,
): boolean {
  // A delete that was judged and called before needs no content.
  if (operation === 'delete' && attempts > 0) return true
  const seen = firstSeen.get(engine) ?? new Map<string, number>()
  firstSeen.set(engine, seen)
  if (seen.size > MOST) seen.clear()
  // Never ahead of the clock: it may have been set back since.
  const since = Math.min(seen.get(key) ?? engine.clock(), engine.clock())
  const isOld = engine.clock() - since >= LONG
  if (isOld) seen.delete(key)
  else seen.set(key, since)
  return isOld
}
