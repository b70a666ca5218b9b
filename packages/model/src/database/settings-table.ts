import { quote } from '../columns/table-shape.js'
import type { DeviceDatabase } from './database.js'
import type { SchemaName } from './files.js'

/** The table `setting` of one file: texts by name. */
export class SettingsTable {
  readonly #database: DeviceDatabase
  readonly #table: string

  constructor(database: DeviceDatabase, schema: SchemaName | 'main') {
    this.#database = database
    this.#table = `${quote(schema)}.setting`
  }

  get(name: string): string | null {
    return (
      (this.#database.prepare(`SELECT value FROM ${this.#table} WHERE name = ?`).get(name)?.['value'] as
        | string
        | undefined) ?? null
    )
  }

  /** Stores a text; `null` removes it. */
  set(name: string, value: string | null): void {
    if (value === null) this.#database.prepare(`DELETE FROM ${this.#table} WHERE name = ?`).run(name)
    else
      this.#database
        .prepare(`INSERT INTO ${this.#table} VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`)
        .run(name, value)
  }
}
