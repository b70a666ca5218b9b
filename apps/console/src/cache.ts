/** The state of a cache entry. */
export interface CacheSnapshot<T> {
  readonly data?: T
  readonly error?: unknown
  /** True while a request is running. */
  readonly busy: boolean
}

interface CacheEntry {
  /** Time of the last response; 0 if there was none. */
  at: number
  snapshot: CacheSnapshot<unknown>
  running?: AbortController
  readonly listeners: Set<() => void>
}

/** Requests the data; the signal aborts the request. */
export type Fetcher<T> = (options: { readonly signal: AbortSignal }) => Promise<T>

/** Maximum number of entries; entries that a page shows are never evicted. */
const MAX_ENTRIES = 200
const EMPTY_SNAPSHOT: CacheSnapshot<never> = { busy: false }

/** A cache of responses by key: shown at once when a page reopens, and reloaded in the background. */
export class Cache {
  readonly #entries = new Map<string, CacheEntry>()

  read<T>(key: string): CacheSnapshot<T> {
    return (this.#entries.get(key)?.snapshot ?? EMPTY_SNAPSHOT) as CacheSnapshot<T>
  }

  /** Subscribes to an entry. When the last subscriber leaves, a running request is aborted. */
  subscribe(key: string, listener: () => void): () => void {
    const entry = this.#open(key)
    entry.listeners.add(listener)
    return () => {
      entry.listeners.delete(listener)
      if (entry.listeners.size > 0) return
      if (entry.snapshot.busy) entry.running?.abort()
      const { error: _, ...known } = entry.snapshot
      entry.snapshot = { ...known, busy: false }
    }
  }

  /** Loads the entry unless a request is running or the last response is younger than `fresh` milliseconds. */
  ensure<T>(key: string, fetcher: Fetcher<T>, fresh: number): void {
    const { at, snapshot } = this.#open(key)
    if (!snapshot.busy && Date.now() - at >= fresh) void this.load(key, fetcher)
  }

  /** Reloads the entry; a running request is aborted. An error stays until the next response. */
  async load<T>(key: string, fetcher: Fetcher<T>): Promise<void> {
    const entry = this.#open(key)
    entry.running?.abort()
    const running = new AbortController()
    entry.running = running
    this.#notify(entry, { ...entry.snapshot, busy: true })
    try {
      const data = await fetcher({ signal: running.signal })
      if (entry.running !== running) return
      entry.at = Date.now()
      this.#notify(entry, { data, busy: false })
    } catch (error) {
      if (entry.running !== running) return
      const { snapshot } = entry
      this.#notify(entry, running.signal.aborted ? { ...snapshot, busy: false } : { ...snapshot, error, busy: false })
    }
  }

  /** Stores data that was read elsewhere. */
  keep(key: string, data: unknown): void {
    this.#open(key).snapshot = { data, busy: false }
  }

  /** Removes all entries, when another user signs in. */
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

  #notify(entry: CacheEntry, snapshot: CacheSnapshot<unknown>): void {
    entry.snapshot = snapshot
    for (const listener of entry.listeners) listener()
  }
}
