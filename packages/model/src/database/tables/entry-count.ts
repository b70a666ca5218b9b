import type { DeviceDatabase } from '../database.js'
import type { Statement } from '../driver.js'
import type { SchemaName } from '../files.js'
import { quote } from '../table-shape.js'

/** How many entries are left to be counted when they are asked for, at most: about 200 KiB. */
const ENTRIES_PER_COUNT = 1000

/**
 * How many entries the outbox of a partition has, without reading them all: those up to one of them are counted in a row, the few behind it when asked.
 * A trigger takes off what is deleted, and new entries come behind all others: single writes leave the row as it is.
 */
export class EntryCount {
  readonly #advance: Statement
  readonly #get: Statement
  /** The entry from which the row moves on. It may be any: what the row says is right with each. */
  #due = 0

  constructor(database: DeviceDatabase, schema: SchemaName) {
    const sql = database.over({ counted: `${quote(schema)}.entry_count`, outbox: `${quote(schema)}.outbox` })
    const behind = '(SELECT count(*) FROM $outbox WHERE entry > through)'
    this.#advance = sql(
      `UPDATE $counted SET entries = entries + ${behind}, through = (SELECT max(entry) FROM $outbox) WHERE through < (SELECT max(entry) FROM $outbox)`,
    )
    this.#get = sql(`SELECT entries + ${behind} FROM $counted`)
  }

  get(): number {
    return this.#get.arrays()[0]?.[0] as number
  }

  /** To be called with each that was added, in its transaction. */
  added(entry: number): void {
    if (entry >= this.#due) this.addedThrough(entry)
  }

  /** The same of many that were added together, with the last. */
  addedThrough(entry: number): void {
    this.#advance.run()
    this.#due = entry + ENTRIES_PER_COUNT
  }
}
