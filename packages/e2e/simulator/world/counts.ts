/** What histories must contain to show anything: faults that happened, and comparisons that were made. */
const COUNTED = [
  'requests lost',
  'answers lost',
  'messages doubled',
  'servers killed',
  'devices killed',
  'calls that failed',
  'queries that failed',
  'own changes compared',
  'rows compared',
  'rows compared on a device that did not write them',
  'changes completed',
] as const

export type Counted = (typeof COUNTED)[number]

/** Counts over all histories of a process. A run in which one of them never moved has proved less than it seems to. */
export class Counts {
  readonly #counts = new Map<Counted, number>(COUNTED.map(name => [name, 0]))

  add(name: Counted): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
  }

  toJSON(): { readonly [name: string]: number } {
    return Object.fromEntries(this.#counts)
  }
}
