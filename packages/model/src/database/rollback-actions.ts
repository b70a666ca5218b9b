/** Functions that restore state in memory on rollback: one list for each open transaction, the innermost last. */
export class RollbackActions {
  readonly #open: (() => void)[][] = []

  begun(): void {
    this.#open.push([])
  }

  /** Adds a function to the innermost transaction; without an open transaction it is ignored. */
  add(undo: () => void): void {
    this.#open.at(-1)?.push(undo)
  }

  /** Appends the innermost list to that of the surrounding transaction. */
  committed(): void {
    const undos = this.#open.pop() ?? []
    this.#open.at(-1)?.push(...undos)
  }

  /** Runs the innermost list in reverse order. */
  rolledBack(): void {
    for (const undo of this.#open.pop()?.reverse() ?? []) undo()
  }
}
