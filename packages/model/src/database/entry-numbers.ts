import { type Database, SCHEMAS } from './database.js'
import { quote } from './table-shape.js'

const highest = SCHEMAS.map(name => `ifnull((SELECT max(entry) FROM ${quote(name)}.outbox), 0)`)

/** The number of the next outbox entry, in SQL. */
export const NEXT_ENTRY = `1 + max(${highest.join(', ')})`

/**
 * Numbers outbox entries in the order of their making, over all partitions, as another process may have added some since the last transaction.
 * The first of a transaction is left to the statement that adds it: most transactions have but one.
 */
export class EntryNumbers {
  readonly #database: Database
  #transaction = 0
  #last: number | undefined

  constructor(database: Database) {
    this.#database = database
  }

  /** Null: `NEXT_ENTRY`. */
  next(): number | null {
    const { transactionNumber } = this.#database
    if (transactionNumber === 0 || transactionNumber !== this.#transaction) {
      this.#transaction = transactionNumber
      this.#last = undefined
      return null
    }
    this.#last = this.#last === undefined ? this.#read() : this.#last + 1
    return this.#last
  }

  #read(): number {
    return this.#database.prepare(`SELECT ${NEXT_ENTRY}`).arrays()[0]?.[0] as number
  }
}
