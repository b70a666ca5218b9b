import { quote } from '../../columns/table-shape.js'
import type { Statement } from '../../platform/driver.js'
import type { DeviceDatabase } from '../database.js'
import type { SchemaName } from '../files.js'

/** Where an outbox entry is sent. */
export interface Route {
  /** The copy in whose numbering the entry is; null if it has to be routed again. */
  readonly copy: number | null
  /** How often another copy was tried because the object was gone in one. */
  readonly tries: number
}

/** The copies to which entries were sent. An entry keeps its copy for life. */
export class RouteTable {
  readonly #sql: (text: string) => Statement

  constructor(database: DeviceDatabase, schema: SchemaName) {
    this.#sql = database.over({ route: `${quote(schema)}.route`, outbox: `${quote(schema)}.outbox` })
  }

  get(entry: number): Route | undefined {
    return this.#sql('SELECT copy, tries FROM $route WHERE entry = ?').get(entry) as Route | undefined
  }

  set(entry: number, { copy, tries }: Route): void {
    this.#sql('INSERT OR REPLACE INTO $route VALUES (?, ?, ?)').run(entry, copy, tries)
  }

  remove(entry: number): void {
    this.#sql('DELETE FROM $route WHERE entry = ?').run(entry)
  }

  /** Restarts the numbering of a copy: its entries are unsent, with their keys and contents. */
  startOver(copy: number): void {
    const sql = `UPDATE $outbox SET seen = NULL, number = NULL, state = 'unsent', sent = CASE WHEN "key" IS NULL THEN 0 ELSE 1 END
      WHERE entry IN (SELECT entry FROM $route WHERE copy = ?)`
    this.#sql(sql).run(copy)
  }

  /** Removes the routes of deleted entries. */
  purge(): void {
    this.#sql('DELETE FROM $route WHERE entry NOT IN (SELECT entry FROM $outbox)').run()
  }
}
