/** A change in the log of a database: which object of which partition. */
export interface LoggedObject {
  readonly partition: string
  readonly id: string
}

/** The log of changes of one backend, in the order in which they were committed. Cursors are positions in it, of one past of the database. */
export class BackendLog {
  readonly #entries: LoggedObject[] = []
  readonly #waiting = new Set<() => void>()
  /** Changes with a restore: cursors of another past are unknown. */
  #past = 1
  /** True while a restore changes objects, which no log knows of. */
  #isSilent = false

  note(partition: string, id: string): void {
    if (this.#isSilent) return
    this.#entries.push({ partition, id })
    this.#wake()
  }

  /** The position behind the last change. */
  get end(): number {
    return this.#entries.length
  }

  cursorAt(position: number): string {
    return `${this.#past}:${position}`
  }

  /** Returns the position of a cursor; undefined if the database does not know it. */
  positionOf(cursor: string): number | undefined {
    const [past, position] = cursor.split(':').map(Number)
    return past === this.#past && position !== undefined && position <= this.end ? position : undefined
  }

  after(position: number): readonly LoggedObject[] {
    return this.#entries.slice(position)
  }

  /** Restores the database to an earlier state by `change`; nobody is told of what this undoes. */
  restore(change: () => void): void {
    this.#isSilent = true
    change()
    this.#isSilent = false
    this.#past++
    this.#entries.length = 0
    this.#wake()
  }

  /** Resolves at the next change or restore, or when the signal aborts. */
  async changed(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    await new Promise<void>(resolve => {
      this.#waiting.add(resolve)
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve()
    this.#waiting.clear()
  }
}
