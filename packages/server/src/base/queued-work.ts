import type { JournalEntry, UndecidedCursor } from '@godwit/store'
import type { BaseEngine } from './base-engine.js'

const PAGE = 200
/** Number of collections of a source that are worked on at once, so that a call that hangs leaves places for others. */
const TOGETHER = 4

type Work = (entry: JournalEntry) => Promise<void>

/** The collections of one source: those worked on, and those that wait for a place, with their first queued mutation. */
interface Line {
  readonly running: Set<string>
  readonly waiting: Map<string, () => Promise<void>>
}

/**
 * Work on every collection with queued mutations, which goes on between sweeps: each once at a time, several of a source at once. A backend that hangs
 * thus delays neither other sources nor the sweeps.
 */
export class QueuedWork {
  readonly #engine: BaseEngine
  readonly #work: Work
  readonly #lines = new Map<string, Line>()
  #isReading = false

  /** `work` receives the first queued mutation of a collection. */
  constructor(engine: BaseEngine, work: Work) {
    this.#engine = engine
    this.#work = work
  }

  /** Begins the work on collections that do not wait for it already. Resolves when it is done, and rejects with its first error. */
  async run(): Promise<void> {
    // A slow store is not read again meanwhile.
    if (this.#isReading) return
    this.#isReading = true
    const begun = await this.#beginAll().finally(() => {
      this.#isReading = false
    })
    const failed = (await Promise.allSettled(begun)).find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
  }

  async #beginAll(): Promise<readonly Promise<void>[]> {
    const begun: Promise<void>[] = []
    for (let after: UndecidedCursor | undefined; !this.#engine.stopping.aborted; ) {
      const page = await this.#engine.store.journal.undecided({ state: 'queued', after, limit: PAGE })
      for (const entry of page) begun.push(...this.#begin(entry))
      const last = page.at(-1)
      if (last === undefined) break
      after = { collection: last.collection, sequence: last.sequence }
    }
    return begun
  }

  #begin(entry: JournalEntry): readonly Promise<void>[] {
    const { source, partition } = entry.collection
    const line = this.#lines.get(source) ?? { running: new Set(), waiting: new Map() }
    this.#lines.set(source, line)
    if (line.running.has(partition) || line.waiting.has(partition)) return []
    const { promise, resolve } = Promise.withResolvers<void>()
    line.waiting.set(partition, async () => {
      const working = this.#engine.stopping.aborted ? Promise.resolve() : this.#work(entry)
      resolve(working)
      await working
    })
    // If the next page cannot be read, `run` rejects before it waits for this.
    promise.catch(() => {})
    this.#fill(source, line)
    return [promise]
  }

  #fill(source: string, line: Line): void {
    const { running, waiting } = line
    for (const [partition, start] of waiting) {
      if (running.size === TOGETHER) return
      waiting.delete(partition)
      running.add(partition)
      const next = (): void => {
        running.delete(partition)
        this.#fill(source, line)
      }
      start().then(next, next)
    }
    if (running.size === 0) this.#lines.delete(source)
  }
}
