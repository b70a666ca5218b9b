/** What is to be put back beside the tables when a transaction is undone: one list for each that is open, the innermost last. */
export class Undos {
  readonly #open: (() => void)[][] = []

  begun(): void {
    this.#open.push([])
  }

  /** Of the innermost one. What no transaction holds cannot be undone. */
  add(undo: () => void): void {
    this.#open.at(-1)?.push(undo)
  }

  /** From now on a part of the one around it. */
  committed(): void {
    const undos = this.#open.pop() ?? []
    this.#open.at(-1)?.push(...undos)
  }

  /** The last first. */
  rolledBack(): void {
    for (const undo of this.#open.pop()?.reverse() ?? []) undo()
  }
}
