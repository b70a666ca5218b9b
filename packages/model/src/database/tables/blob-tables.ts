import type { ObjectId } from '@godwit/protocol'
import { quote } from '../../columns/table-shape.js'
import type { Statement } from '../../platform/driver.js'
import type { DeviceDatabase } from '../database.js'
import type { SchemaName } from '../files.js'

/** A blob in a row from the server that may not be on this device yet. */
export interface WantedBlob {
  readonly object: ObjectId
  readonly hash: string
}

/** Milliseconds before the first new request for a blob that the server lacked. The wait doubles with each attempt. */
const FIRST_RETRY_MS = 10_000
const MAX_RETRY_MS = 3_600_000

/** Blobs to download. They are stored in the transaction of the row, so that no download is lost when the process ends. */
export class WantedTable {
  readonly #sql: (text: string) => Statement

  constructor(database: DeviceDatabase, schema: SchemaName) {
    this.#sql = database.over({
      wanted: `${quote(schema)}.blob_wanted`,
      absent: `${quote(schema)}.blob_absent`,
    })
  }

  /** Adds a blob of a new row. A blob that the server lacked before is requested immediately. */
  add(model: string, object: ObjectId, hash: string): void {
    this.addAgain(model, object, hash)
    this.#sql('UPDATE $absent SET due = 0 WHERE model = ? AND object = ? AND hash = ?').run(model, object, hash)
  }

  /** Adds a blob whose file was lost on this device. A blob that the server lacked before keeps its waiting time. */
  addAgain(model: string, object: ObjectId, hash: string): void {
    this.#sql('INSERT OR IGNORE INTO $wanted VALUES (?, ?, ?)').run(model, object, hash)
  }

  /** Returns the blobs to request at `now` (milliseconds since 1970). Times beyond the longest wait come from a wrong clock and are ignored. */
  list(
    model: string,
    { now, after, limit }: { readonly now: number; readonly after: WantedBlob | undefined; readonly limit: number },
  ): readonly WantedBlob[] {
    const waits =
      'SELECT 1 FROM $absent AS a WHERE a.model = w.model AND a.object = w.object AND a.hash = w.hash AND a.due BETWEEN ? AND ?'
    const sql = `SELECT object, hash FROM $wanted AS w WHERE model = ? AND (object, hash) > (?, ?) AND NOT EXISTS (${waits}) ORDER BY object, hash LIMIT ?`
    const from = [model, after?.object ?? '', after?.hash ?? ''] as const
    return this.#sql(sql).all(...from, now + 1, now + MAX_RETRY_MS, limit) as unknown as readonly WantedBlob[]
  }

  remove(model: string, { object, hash }: WantedBlob): void {
    for (const table of ['$wanted', '$absent'])
      this.#sql(`DELETE FROM ${table} WHERE model = ? AND object = ? AND hash = ?`).run(model, object, hash)
  }

  /** Records that the server lacked the blob at `now`, and schedules the next request with exponential back-off. */
  putOff(model: string, { object, hash }: WantedBlob, now: number): void {
    const [row] = this.#sql('SELECT tries FROM $absent WHERE model = ? AND object = ? AND hash = ?').arrays(
      ...[model, object, hash],
    )
    const tries = (row?.[0] as number | undefined) ?? 0
    const due = now + Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(tries, 20))
    this.#sql('INSERT OR REPLACE INTO $absent VALUES (?, ?, ?, ?, ?)').run(model, object, hash, tries + 1, due)
  }

  hashes(): readonly string[] {
    return this.#sql('SELECT DISTINCT hash FROM $wanted')
      .arrays()
      .map(([hash]) => hash as string)
  }

  clear(model: string): void {
    for (const table of ['$wanted', '$absent']) this.#sql(`DELETE FROM ${table} WHERE model = ?`).run(model)
  }
}

/** The blobs that this device sent for attributes without `overwrite`. It keeps showing them even if the server's row has another hash. */
export class OwnTable {
  readonly #sql: (text: string) => Statement

  constructor(database: DeviceDatabase, schema: SchemaName) {
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

  /** Removes entries of objects that have no row in `table`. */
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

/** The blob tables of a partition's file. */
export class BlobTables {
  readonly wanted: WantedTable
  readonly own: OwnTable

  constructor(database: DeviceDatabase, schema: SchemaName) {
    this.wanted = new WantedTable(database, schema)
    this.own = new OwnTable(database, schema)
  }

  clear(model: string): void {
    this.wanted.clear(model)
    this.own.clear(model)
  }
}
