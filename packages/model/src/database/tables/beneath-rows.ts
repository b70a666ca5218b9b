import type { ObjectId } from '@godwit/protocol'
import type { DeviceDatabase } from '../database.js'
import type { Statement } from '../driver.js'
import type { SchemaName } from '../files.js'
import { FOUND, type IdRange } from '../model-rows.js'
import { quote } from '../table-shape.js'

/** The live rows of the server beneath undecided changes, which the outbox keeps. Each question reads all of it. */
export class BeneathRows {
  readonly #sql: (text: string) => Statement

  constructor(database: DeviceDatabase, schema: SchemaName) {
    this.#sql = database.over({ outbox: `${quote(schema)}.outbox` })
  }

  /** Those of other passes, with their versions; not what a search brought. */
  ofOtherPasses(model: string, pass: number): readonly (readonly [object: ObjectId, version: number])[] {
    const rows = this.#sql(
      'SELECT object, version FROM $outbox WHERE model = ? AND dead = 0 AND pass NOT IN (?, ?)',
    ).arrays(model, pass, FOUND)
    return rows as unknown as readonly (readonly [ObjectId, number])[]
  }

  /** Those with a version, in order of their ids. */
  ofServer(
    model: string,
    { after, through, limit }: IdRange,
  ): readonly (readonly [object: ObjectId, version: number])[] {
    const rows = this.#sql(
      'SELECT object, version FROM $outbox WHERE model = ? AND dead = 0 AND version > 0 AND object > ? AND (? IS NULL OR object <= ?) ORDER BY object LIMIT ?',
    ).arrays(model, after, through, through, limit)
    return rows as unknown as readonly (readonly [ObjectId, number])[]
  }

  /** Those of a higher version. */
  above(model: string, version: number): readonly ObjectId[] {
    const rows = this.#sql('SELECT object FROM $outbox WHERE model = ? AND dead = 0 AND version > ?').arrays(
      model,
      version,
    )
    return rows.map(([object]) => object as ObjectId)
  }
}
