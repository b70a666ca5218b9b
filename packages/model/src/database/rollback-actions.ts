/** Functions that undo changes beside the tables on rollback: one list for each open transaction, the innermost last. */
export class RollbackActions {
  readonly #open: (() => void)[][] = []

  begun(): void {
    this.#open.push([])
  }

  /** Adds one to the innermost transaction; without a transaction nothing can be undone. */
  add(undo: () => void): void {
    this.#open.at(-1)?.push(undo)
  }

  /** Passes the list on to the surrounding transaction. */
  committed(): void {
    const undos = this.#open.pop() ?? []
    this.#open.at(-1)?.push(...undos)
  }

  /** Runs the list, last first. */
  rolledBack(): void {
    for (const undo of this.#open.pop()?.reverse() ?? []) undo()
  }
}
