import { quote } from '../../columns/table-shape.js'
import type { Statement } from '../../platform/driver.js'
import type { DeviceDatabase } from '../database.js'
import type { SchemaName } from '../files.js'

/** Maximum number of entries to count on demand: about 200 KiB. */
const ENTRIES_PER_COUNT = 1000

/**
 * The number of outbox entries of a partition: a stored count of entries up to `through`, plus the few later ones, which are counted on demand. A
 * trigger subtracts deleted entries; new ones are above `through`, so that single writes do not change the stored count.
 */
export class EntryCount {
  readonly #advance: Statement
  readonly #get: Statement
  /** The entry at which the stored count is updated. It affects only performance. */
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

  /** Call it for each added entry, in its transaction. */
  added(entry: number): void {
    if (entry >= this.#due) this.addedThrough(entry)
  }

  /** Updates the stored count. Call it with the last of several added entries. */
  addedThrough(entry: number): void {
    this.#advance.run()
    this.#due = entry + ENTRIES_PER_COUNT
  }
}
