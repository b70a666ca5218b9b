import type { ObjectId } from '@godwit/protocol'
import { quote } from '../../columns/table-shape.js'
import type { Statement } from '../../platform/driver.js'
import type { DeviceDatabase } from '../database.js'
import type { SchemaName } from '../files.js'
import { type IdRange, SEARCH_PASS } from '../model-rows.js'

/** The server's live rows of objects with undecided changes, stored in the outbox. Each query scans the whole table. */
export class OutboxServerRows {
  readonly #sql: (text: string) => Statement

  constructor(database: DeviceDatabase, schema: SchemaName) {
    this.#sql = database.over({ outbox: `${quote(schema)}.outbox` })
  }

  /** Returns the rows of other passes, with their versions; without rows found by search. */
  ofOtherPasses(model: string, pass: number): readonly (readonly [object: ObjectId, version: number])[] {
    const rows = this.#sql(
      'SELECT object, version FROM $outbox WHERE model = ? AND dead = 0 AND pass NOT IN (?, ?)',
    ).arrays(model, pass, SEARCH_PASS)
    return rows as unknown as readonly (readonly [ObjectId, number])[]
  }

  /** Returns the rows that have a version, in order of ids. */
  ofServer(
    model: string,
    { after, through, limit }: IdRange,
  ): readonly (readonly [object: ObjectId, version: number])[] {
    const rows = this.#sql(
      'SELECT object, version FROM $outbox WHERE model = ? AND dead = 0 AND version > 0 AND object > ? AND (? IS NULL OR object <= ?) ORDER BY object LIMIT ?',
    ).arrays(model, after, through, through, limit)
    return rows as unknown as readonly (readonly [ObjectId, number])[]
  }

  /** Makes the version of the row beneath an object's first entry unknown. */
  voidVersion(entry: number): void {
    this.#sql('UPDATE $outbox SET version = 0 WHERE entry = ? AND version IS NOT NULL').run(entry)
  }

  /** Returns the ids of rows above a version. */
  above(model: string, version: number): readonly ObjectId[] {
    const rows = this.#sql('SELECT object FROM $outbox WHERE model = ? AND dead = 0 AND version > ?').arrays(
      model,
      version,
    )
    return rows.map(([object]) => object as ObjectId)
  }

  /** Returns the highest version of a live or removed row. */
  highestVersion(model: string): number {
    return (this.#sql('SELECT max(version) FROM $outbox WHERE model = ?').arrays(model)[0]?.[0] ?? 0) as number
  }
}
