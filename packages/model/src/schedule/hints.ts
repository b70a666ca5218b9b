import type { Hint } from '../events/hint.js'
import type { Timers } from '../platform/timers.js'

/** Minimum milliseconds between two runs that hints start for a source, so that one that changes constantly is not pulled constantly. */
export const HINT_GAP_MS = 500

export interface HintsParts {
  readonly timers: Timers
  /** A random number from 0 to 1. */
  readonly random: () => number
  readonly run: (hints: ReadonlyMap<string, Hint | undefined>) => void
}

interface PendingHints {
  readonly hints: Map<string, Hint | undefined>
  readonly cancel: () => void
}

/** Hints that have not started a run yet. Those of one source are merged; sources announced together run together. */
export class Hints {
  readonly #parts: HintsParts
  readonly #waiting = new Set<PendingHints>()
  readonly #gaps = new Map<string, () => void>()
  /** Hints that arrived during a gap. */
  readonly #late = new Map<string, Hint | undefined>()

  constructor(parts: HintsParts) {
    this.#parts = parts
  }

  add(hints: ReadonlyMap<string, Hint | undefined>, withinMilliseconds: number): void {
    const fresh = new Map([...hints].filter(([source, hint]) => !this.#joins(source, hint)))
    if (fresh.size === 0) return
    const { timers, random, run } = this.#parts
    const waiting: PendingHints = {
      hints: fresh,
      cancel: timers.set(() => {
        this.#waiting.delete(waiting)
        for (const source of fresh.keys()) this.#beginGap(source)
        if (fresh.size > 0) run(fresh)
      }, random() * withinMilliseconds),
    }
    this.#waiting.add(waiting)
  }

  forget(): void {
    for (const { cancel } of this.#waiting) cancel()
    for (const cancel of this.#gaps.values()) cancel()
    this.#waiting.clear()
    this.#gaps.clear()
    this.#late.clear()
  }

  /** Merges a hint. The latest counts, since it includes earlier ones; a request to sync without a hint stays one. */
  #joins(source: string, hint: Hint | undefined): boolean {
    const together = [...this.#waiting].find(({ hints }) => hints.has(source))?.hints
    const joined = together ?? (this.#gaps.has(source) ? this.#late : undefined)
    if (joined === undefined) return false
    // A check is spread over many devices and may wait for long.
    if (joined.get(source)?.kind === 'check' && hint?.kind === 'change') return !joined.delete(source)
    const isPlain = joined.has(source) && joined.get(source) === undefined
    joined.set(source, isPlain ? undefined : hint)
    return true
  }

  #beginGap(source: string): void {
    this.#gaps.get(source)?.()
    const cancel = this.#parts.timers.set(() => {
      this.#gaps.delete(source)
      if (!this.#late.has(source)) return
      const hint = this.#late.get(source)
      this.#late.delete(source)
      this.add(new Map([[source, hint]]), 0)
    }, HINT_GAP_MS)
    this.#gaps.set(source, cancel)
  }
}
