import type { FeedBatch } from '@godwit/source'
import type { LoggedChange } from './step.js'

interface PollingOptions {
  /** Milliseconds between looks. */
  readonly interval: number
  /** Milliseconds between heartbeats. */
  readonly heartbeat: number
  readonly now: () => number
}

/**
 * Decides when to look at which part of the log. New positions are looked at each time. Looking at all unstamped changes, which also finds late commits
 * with low positions, is slow while an old snapshot keeps dead index entries: it takes at most a tenth of the time.
 */
export class Polling {
  readonly #options: PollingOptions
  #continueAfter = 0
  #isAll = true
  #nextAll = Number.NEGATIVE_INFINITY
  #lastBeat: number
  #beat: string | undefined
  /** When the log was last seen without anything waiting. */
  #quietAt: number | undefined
  #lookedAt: number

  constructor(options: PollingOptions) {
    this.#options = options
    this.#lastBeat = options.now()
    this.#lookedAt = options.now()
  }

  get pause(): number {
    return this.#options.interval
  }

  get isBeatDue(): boolean {
    return this.#options.now() - this.#lastBeat >= this.#options.heartbeat
  }

  /** Returns the id of a new heartbeat. */
  newBeat(id: string): string {
    this.#lastBeat = this.#options.now()
    this.#beat = id
    return id
  }

  /** Returns the position behind which to look: where the last step ended, a recent one, or 0 for all. */
  async after(recent: () => Promise<number>): Promise<number> {
    this.#lookedAt = this.#options.now()
    if (this.#continueAfter > 0) return this.#continueAfter
    this.#isAll = this.isBeatDue || this.#lookedAt >= this.#nextAll
    return this.#isAll ? 0 : recent()
  }

  /** Calls a look and notes how long it took. */
  async measure(look: () => Promise<boolean>): Promise<boolean> {
    const start = this.#options.now()
    const isPending = await look()
    const end = this.#options.now()
    if (this.#isAll) this.#nextAll = end + 9 * (end - start)
    if (!isPending) {
      this.#quietAt = start
      this.#continueAfter = 0
    }
    return isPending
  }

  /** Goes on behind a position with the next step; 0: from the beginning. */
  continueAfter(position: number): void {
    this.#continueAfter = position
  }

  /** What a batch says about its time: changes came after the last look that found none. */
  report(changes: readonly LoggedChange[]): Partial<Pick<FeedBatch, 'heartbeat' | 'committedAt'>> {
    const heartbeat = changes.some(({ kind, new_key }) => kind === 'B' && new_key === this.#beat)
    const committedAt = this.#quietAt
    if (this.#continueAfter === 0) this.#quietAt = this.#lookedAt
    return {
      ...(heartbeat && { heartbeat }),
      ...(committedAt !== undefined && changes.some(({ kind }) => kind === 'C') && { committedAt }),
    }
  }
}
