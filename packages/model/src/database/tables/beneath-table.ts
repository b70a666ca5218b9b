import type { ObjectId } from '@godwit/protocol'
import { parseAttributes } from '../attributes.js'
import type { Database, Schema } from '../database.js'
import type { Statement } from '../driver.js'
import { FOUND, type Range, type StoredRow } from '../model-rows.js'
import { quote } from '../table-shape.js'

/** The server's row of an object with undecided changes. `dead`: removed there; its attributes are the last that were known. */
export interface BeneathRow extends StoredRow {
  readonly dead: boolean
}

type BeneathText = Omit<BeneathRow, 'attributes'> & { readonly attributes: string }

export class BeneathTable {
  readonly #sql: (text: string) => Statement

  constructor(database: Database, schema: Schema) {
    this.#sql = database.over({ beneath: `${quote(schema)}.beneath` })
  }

  get(model: string, object: ObjectId): BeneathRow | undefined {
    const row = this.#sql('SELECT version, pass, attributes, dead FROM $beneath WHERE model = ? AND object = ?').arrays(
      model,
      object,
    )[0]
    if (!row) return undefined
    return {
      version: row[0] as number,
      pass: row[1] as number,
      attributes: parseAttributes(row[2] as string),
      dead: row[3] === 1,
    }
  }

  put(model: string, object: ObjectId, { attributes, ...row }: BeneathRow): void {
    this.putText(model, object, { ...row, attributes: JSON.stringify(attributes) })
  }

  /** The attributes as JSON text. */
  putText(model: string, object: ObjectId, { version, pass, attributes, dead }: BeneathText): void {
    const sql = `INSERT INTO $beneath (model, object, version, pass, attributes, dead) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (model, object) DO UPDATE SET version = excluded.version, pass = excluded.pass, attributes = excluded.attributes, dead = excluded.dead`
    this.#sql(sql).run(model, object, version, pass, attributes, dead ? 1 : 0)
  }

  remove(model: string, object: ObjectId): void {
    this.#sql('DELETE FROM $beneath WHERE model = ? AND object = ?').run(model, object)
  }

  /** Live rows of other passes, with their versions; not what a search brought. */
  ofOtherPasses(model: string, pass: number): readonly (readonly [object: ObjectId, version: number])[] {
    const sql = 'SELECT object, version FROM $beneath WHERE model = ? AND pass NOT IN (?, ?) AND dead = 0'
    const rows = this.#sql(sql).arrays(model, pass, FOUND)
    return rows as unknown as readonly (readonly [ObjectId, number])[]
  }

  /** Live rows from the server with their versions, in order of their ids. */
  ofServer(model: string, { after, through, limit }: Range): readonly (readonly [object: ObjectId, version: number])[] {
    const rows = this.#sql(
      `SELECT object, version FROM $beneath WHERE model = ? AND dead = 0 AND version > 0 AND object > ? AND (? IS NULL OR object <= ?) ORDER BY object LIMIT ?`,
    ).arrays(model, after, through, through, limit)
    return rows as unknown as readonly (readonly [ObjectId, number])[]
  }

  /** Live rows of a higher version. */
  above(model: string, version: number): readonly ObjectId[] {
    const rows = this.#sql('SELECT object FROM $beneath WHERE model = ? AND version > ? AND dead = 0').arrays(
      model,
      version,
    )
    return rows.map(([object]) => object as ObjectId)
  }

  voidVersions(model: string): void {
    this.#sql('UPDATE $beneath SET version = 0 WHERE model = ?').run(model)
  }

  clear(model: string): void {
    this.#sql('DELETE FROM $beneath WHERE model = ?').run(model)
  }
}
