/** What is known under a key. */
export interface CacheSnapshot<T> {
  readonly data?: T
  readonly error?: unknown
  /** A request is under way. */
  readonly busy: boolean
}

interface CacheEntry {
  /** When the last answer came; 0: none did. */
  at: number
  snapshot: CacheSnapshot<unknown>
  running?: AbortController
  readonly listeners: Set<() => void>
}

/** Fetches an answer; the signal aborts it. */
export type Fetcher<T> = (options: { readonly signal: AbortSignal }) => Promise<T>

/** How many answers are kept that no page shows. */
const MAX_ENTRIES = 200
const EMPTY_SNAPSHOT: CacheSnapshot<never> = { busy: false }

/** Answers of the server by key: shown at once when a page is opened again, and reloaded in the background. */
export class Cache {
  readonly #entries = new Map<string, CacheEntry>()

  read<T>(key: string): CacheSnapshot<T> {
    return (this.#entries.get(key)?.snapshot ?? EMPTY_SNAPSHOT) as CacheSnapshot<T>
  }

  /** The first who listens is served; with the last who leaves, the request is given up. */
  subscribe(key: string, listener: () => void): () => void {
    const entry = this.#open(key)
    entry.listeners.add(listener)
    return () => {
      entry.listeners.delete(listener)
      if (entry.listeners.size > 0 || !entry.snapshot.busy) return
      entry.running?.abort()
      const { error: _, ...known } = entry.snapshot
      entry.snapshot = { ...known, busy: false }
    }
  }

  /** Asks, unless somebody else of the page does already, or an answer is so fresh. */
  ensure<T>(key: string, fetcher: Fetcher<T>, fresh: number): void {
    const { at, snapshot } = this.#open(key)
    if (!snapshot.busy && Date.now() - at >= fresh) void this.load(key, fetcher)
  }

  /** Reloads; a request that is under way is aborted. */
  async load<T>(key: string, fetcher: Fetcher<T>): Promise<void> {
    const entry = this.#open(key)
    entry.running?.abort()
    const running = new AbortController()
    entry.running = running
    const { error: _, ...known } = entry.snapshot
    this.#tell(entry, { ...known, busy: true })
    try {
      const data = await fetcher({ signal: running.signal })
      if (entry.running !== running) return
      entry.at = Date.now()
      this.#tell(entry, { data, busy: false })
    } catch (error) {
      if (entry.running !== running) return
      this.#tell(entry, running.signal.aborted ? { ...entry.snapshot, busy: false } : { ...known, error, busy: false })
    }
  }

  /** Keeps what was read in another way. */
  keep(key: string, data: unknown): void {
    this.#open(key).snapshot = { data, busy: false }
  }

  /** Somebody else signs in: nothing of the one before is shown. */
  clear(): void {
    for (const { running } of this.#entries.values()) running?.abort()
    this.#entries.clear()
  }

  #open(key: string): CacheEntry {
    const known = this.#entries.get(key)
    if (known) return known
    const entry: CacheEntry = { at: 0, snapshot: EMPTY_SNAPSHOT, listeners: new Set() }
    this.#entries.set(key, entry)
    for (const [old, { listeners }] of this.#entries) {
      if (this.#entries.size <= MAX_ENTRIES) break
      if (listeners.size === 0 && old !== key) this.#entries.delete(old)
    }
    return entry
  }

  #tell(entry: CacheEntry, snapshot: CacheSnapshot<unknown>): void {
    entry.snapshot = snapshot
    for (const listener of entry.listeners) listener()
  }
}
