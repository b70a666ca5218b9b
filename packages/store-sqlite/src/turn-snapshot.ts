import type { SqliteConnection } from './connection.js'

/**
 * Reads of one turn of the event loop share one snapshot of the file: to open and close one costs as much as a short read.
 * It ends before this process commits: the next read sees that, and a checkpoint meets no reader.
 */
export class TurnSnapshot {
  readonly #reader: SqliteConnection
  readonly #onBegin: () => void
  #isOpen = false

  /** `begun` is called with each of them. */
  constructor(reader: SqliteConnection, begun: () => void) {
    this.#reader = reader
    this.#onBegin = begun
  }

  read<Result>(work: (connection: SqliteConnection) => Result): Result {
    if (!this.#isOpen) this.#begin()
    try {
      return work(this.#reader)
    } catch (error) {
      this.end()
      throw error
    }
  }

  end(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    // It wrote nothing: this only ends it.
    if (this.#reader.handle.inTransaction) this.#reader.run('ROLLBACK')
  }

  #begin(): void {
    this.#reader.run('BEGIN')
    this.#isOpen = true
    this.#onBegin()
    setImmediate(() => this.end())
  }
}
