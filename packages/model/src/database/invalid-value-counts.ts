/** Counts, by attribute, the written values that did not match their type. */
export class InvalidValueCounts {
  #counts = new Map<string, number>()

  readonly count = (attribute: string): void => {
    this.#counts.set(attribute, (this.#counts.get(attribute) ?? 0) + 1)
  }

  /** Returns the counts and resets them. */
  take(): ReadonlyMap<string, number> {
    const counts = this.#counts
    if (counts.size > 0) this.#counts = new Map()
    return counts
  }
}
