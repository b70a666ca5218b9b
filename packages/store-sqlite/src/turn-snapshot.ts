import type { SqliteConnection } from './connection.js'

/**
 * Reads of one turn of the event loop share one snapshot of the file, since beginning and ending one costs as much as a short read. It ends before
 * this process commits, so that the next read sees the commit and no reader blocks a checkpoint.
 */
export class TurnSnapshot {
  readonly #reader: SqliteConnection
  readonly #onBegin: () => void
  #isOpen = false

  /** `begun` is called at the start of each snapshot. */
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
    // Nothing was written; this only ends the transaction.
    if (this.#reader.handle.inTransaction) this.#reader.run('ROLLBACK')
  }

  #begin(): void {
    this.#reader.run('BEGIN')
    this.#isOpen = true
    this.#onBegin()
    setImmediate(() => this.end())
  }
}
