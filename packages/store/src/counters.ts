/** How often something happened lately. */
export interface Counter {
  readonly count: number
  /** Milliseconds since the last addition, by the store's clock. */
  readonly age: number
}

/**
 * Counts by name, shared by all processes of a store, that expire some time after the last addition. They may be lost in a crash, and of
 * very many the longest unused may expire early.
 */
export interface Counters {
  /** Adds 1 in one atomic step and keeps the counter for the given milliseconds from now on. Resolves to the count. */
  add(name: string, milliseconds: number): Promise<number>

  /** The counters of these names, in their order. Undefined: nothing was added, it was forgotten, or the clock went back behind the last addition. */
  get(names: readonly string[]): Promise<readonly (Counter | undefined)[]>

  /** Forgets a counter. */
  remove(name: string): Promise<void>
}
