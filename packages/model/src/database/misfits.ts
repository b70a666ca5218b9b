/** How many values of each attribute were written since they were last taken, and did not fit its type. */
export class Misfits {
  #counts = new Map<string, number>()

  readonly note = (attribute: string): void => {
    this.#counts.set(attribute, (this.#counts.get(attribute) ?? 0) + 1)
  }

  /** Begins again with none. */
  take(): ReadonlyMap<string, number> {
    const counts = this.#counts
    if (counts.size > 0) this.#counts = new Map()
    return counts
  }
}
