import { quote } from '../columns/table-shape.js'
import type { Statement } from '../platform/driver.js'
import type { DeviceDatabase } from './database.js'
import { SCHEMAS, type SchemaName } from './files.js'

/**
 * Numbers outbox entries in the order of creation. Entries of models that refer to others get numbers above those of all files, so that an entry
 * follows the creates that it refers to.
 */
export class EntryNumbers {
  readonly #database: DeviceDatabase
  readonly #highestOf: ReadonlyMap<SchemaName, Statement>
  /** The highest number assigned by this process; undefined before the first. */
  #last: number | undefined
  /** Files whose highest number the open transaction has read. */
  readonly #known = new Set<SchemaName>()
  #transaction = 0

  constructor(database: DeviceDatabase) {
    this.#database = database
    this.#highestOf = new Map(
      SCHEMAS.map(schema => [schema, database.prepare(`SELECT max(entry) FROM ${quote(schema)}.outbox`)]),
    )
  }

  /** Returns the first of `count` consecutive numbers. */
  next(schema: SchemaName, { aboveAll }: { readonly aboveAll: boolean }, count: number): number {
    this.#forgetOthers()
    const files = aboveAll || this.#last === undefined ? SCHEMAS : [schema]
    let last = this.#last ?? 0
    for (const file of files) last = Math.max(last, this.#highest(file))
    this.#last = last + count
    return last + 1
  }

  /** Discards the numbers read in an earlier transaction, since another process may have added entries. */
  #forgetOthers(): void {
    const { transactionNumber } = this.#database
    if (transactionNumber !== 0 && transactionNumber === this.#transaction) return
    this.#transaction = transactionNumber
    this.#known.clear()
  }

  #highest(schema: SchemaName): number {
    if (this.#known.has(schema)) return 0
    this.#known.add(schema)
    return (this.#highestOf.get(schema)?.arrays()[0]?.[0] ?? 0) as number
  }
}
