/** A recent count. */
export interface Counter {
  readonly count: number
  /** Milliseconds since the last increment, by the store's clock. */
  readonly age: number
}

/**
 * Counters by name, shared by all processes of a store, which expire some time after the last increment. A crash may lose them, and with very many
 * the least recently used may expire early.
 */
export interface Counters {
  /** Increments a counter in one atomic step, and keeps it for this number of milliseconds from now on. Returns the count. */
  add(name: string, milliseconds: number): Promise<number>

  /**
   * Returns the counters of these names, in their order. Undefined for one that was never incremented or has expired, or if the clock was set back to
   * before the last increment.
   */
  get(names: readonly string[]): Promise<readonly (Counter | undefined)[]>

  /** Deletes a counter. */
  remove(name: string): Promise<void>
}
