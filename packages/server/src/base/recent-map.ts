interface RecentMapOptions {
  /** Milliseconds. */
  readonly clock: () => number
  /** Milliseconds without a read after which an entry may be removed; after twice that it is. */
  readonly idle: number
  /** The number of entries kept at most. */
  readonly capacity: number
}

/**
 * A map that drops entries that were not read for a while. It consists of two maps of which the older one is dropped whole, so that no search is
 * needed.
 */
export class RecentMap<V> {
  readonly #options: RecentMapOptions
  #current = new Map<string, V>()
  #earlier = new Map<string, V>()
  #since: number

  constructor(options: RecentMapOptions) {
    this.#options = options
    this.#since = options.clock()
  }

  get size(): number {
    return this.#current.size + this.#earlier.size
  }

  get(key: string): V | undefined {
    this.#rotate()
    const value = this.#current.get(key) ?? this.#earlier.get(key)
    if (value !== undefined) this.#refresh(key, value)
    return value
  }

  set(key: string, value: V): void {
    this.#rotate()
    this.#refresh(key, value)
  }

  #refresh(key: string, value: V): void {
    this.#current.set(key, value)
    this.#earlier.delete(key)
  }

  /** Also rotates if the clock was set back. */
  #rotate(): void {
    const { clock, idle, capacity } = this.#options
    const now = clock()
    const isDue = Math.abs(now - this.#since) >= idle
    if (!isDue && this.#current.size < capacity / 2) return
    // No entry was read for two periods.
    this.#earlier = now - this.#since >= 2 * idle ? new Map() : this.#current
    this.#current = new Map()
    this.#since = now
  }
}
