import type { JournalEntry } from '@godwit/store'

/** Milliseconds, longer than a push may take. */
const ABANDONED_AFTER = 10 * 60_000
const MAX_CALLS = 100_000

/** Detects mutations without stored content that no process runs any more. */
export class AbandonedCalls {
  readonly #clock: () => number
  readonly #firstSeen = new Map<string, number>()

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /**
   * True when a pass-through mutation was abandoned: no process has run it for 10 minutes. The request that brought it may still run it, and
   * the device sends it again if that process died.
   */
  has({ mutation: { key, operation }, attempts }: JournalEntry): boolean {
    // A delete that was already judged and called needs no content.
    if (operation === 'delete' && attempts > 0) return true
    if (this.#firstSeen.size > MAX_CALLS) this.#firstSeen.clear()
    const now = this.#clock()
    // Never later than now, since the clock may have been set back.
    const since = Math.min(this.#firstSeen.get(key) ?? now, now)
    const isAbandoned = now - since >= ABANDONED_AFTER
    if (isAbandoned) this.#firstSeen.delete(key)
    else this.#firstSeen.set(key, since)
    return isAbandoned
  }
}
