import type { ObjectId } from '@godwit/protocol'
import type { Database, Schema } from '../database.js'
import type { Statement } from '../driver.js'
import { quote } from '../table-shape.js'

/** A blob that a row from the server names, and that may not be on this device yet. */
export interface WantedBlob {
  readonly object: ObjectId
  readonly hash: string
}

/** Noted with the row: whatever ends the process, the download is not forgotten. */
export class WantedTable {
  readonly #sql: (text: string) => Statement

  constructor(database: Database, schema: Schema) {
    this.#sql = database.over({ wanted: `${quote(schema)}.blob_wanted` })
  }

  add(model: string, object: ObjectId, hash: string): void {
    this.#sql('INSERT OR IGNORE INTO $wanted VALUES (?, ?, ?)').run(model, object, hash)
  }

  list(model: string, after: WantedBlob | undefined, limit: number): readonly WantedBlob[] {
    const sql =
      'SELECT object, hash FROM $wanted WHERE model = ? AND (object, hash) > (?, ?) ORDER BY object, hash LIMIT ?'
    return this.#sql(sql).all(model, after?.object ?? '', after?.hash ?? '', limit) as unknown as readonly WantedBlob[]
  }

  remove(model: string, { object, hash }: WantedBlob): void {
    this.#sql('DELETE FROM $wanted WHERE model = ? AND object = ? AND hash = ?').run(model, object, hash)
  }

  hashes(): readonly string[] {
    return this.#sql('SELECT DISTINCT hash FROM $wanted')
      .arrays()
      .map(([hash]) => hash as string)
  }

  clear(model: string): void {
    this.#sql('DELETE FROM $wanted WHERE model = ?').run(model)
  }
}

/** What this device sent for attributes without `overwrite`: it goes on showing that, whatever the server makes of it. */
export class OwnTable {
  readonly #sql: (text: string) => Statement

  constructor(database: Database, schema: Schema) {
    this.#sql = database.over({ own: `${quote(schema)}.blob_own` })
  }

  get(model: string, object: ObjectId, attribute: string): string | undefined {
    const sql = 'SELECT hash FROM $own WHERE model = ? AND object = ? AND attribute = ?'
    return this.#sql(sql).arrays(model, object, attribute)[0]?.[0] as string | undefined
  }

  put(model: string, object: ObjectId, attribute: string, hash: string): void {
    this.#sql('INSERT OR REPLACE INTO $own VALUES (?, ?, ?, ?)').run(model, object, attribute, hash)
  }

  remove(model: string, object: ObjectId, attribute: string): void {
    this.#sql('DELETE FROM $own WHERE model = ? AND object = ? AND attribute = ?').run(model, object, attribute)
  }

  /** Those of objects that this table does not have. */
  removeOthers(model: string, table: string): void {
    const sql = `DELETE FROM $own WHERE model = ? AND object NOT IN (SELECT object FROM ${table})`
    this.#sql(sql).run(model)
  }

  hashes(): readonly string[] {
    return this.#sql('SELECT DISTINCT hash FROM $own')
      .arrays()
      .map(([hash]) => hash as string)
  }

  clear(model: string): void {
    this.#sql('DELETE FROM $own WHERE model = ?').run(model)
  }
}

/** What a partition's file knows of blobs, beside the rows that name them. */
export class BlobTables {
  readonly wanted: WantedTable
  readonly own: OwnTable

  constructor(database: Database, schema: Schema) {
    this.wanted = new WantedTable(database, schema)
    this.own = new OwnTable(database, schema)
  }

  clear(model: string): void {
    this.wanted.clear(model)
    this.own.clear(model)
  }
}
