import type { ObjectId } from '@godwit/protocol'
import type { DeviceDatabase } from '../database.js'
import type { Statement } from '../driver.js'
import type { SchemaName } from '../files.js'
import { quote } from '../table-shape.js'

/** A blob named by a row from the server, which may not be on this device yet. */
export interface WantedBlob {
  readonly object: ObjectId
  readonly hash: string
}

/** Milliseconds before a blob that the server lacked is requested again, at first. */
const FIRST_WAIT = 10_000
const LONGEST_WAIT = 3_600_000

/** Blobs to download. Recorded with the row, so that no download is forgotten when the process ends. */
export class WantedTable {
  readonly #sql: (text: string) => Statement

  constructor(database: DeviceDatabase, schema: SchemaName) {
    this.#sql = database.over({
      wanted: `${quote(schema)}.blob_wanted`,
      absent: `${quote(schema)}.blob_absent`,
    })
  }

  /** Adds a blob; one that the server lacked before is requested at once, since a new row names it. */
  add(model: string, object: ObjectId, hash: string): void {
    this.addAgain(model, object, hash)
    this.#sql('UPDATE $absent SET due = 0 WHERE model = ? AND object = ? AND hash = ?').run(model, object, hash)
  }

  /** Adds a blob whose file is here no more; one that the server lacked before keeps its wait. */
  addAgain(model: string, object: ObjectId, hash: string): void {
    this.#sql('INSERT OR IGNORE INTO $wanted VALUES (?, ?, ?)').run(model, object, hash)
  }

  /** Returns those to request at `now`, in milliseconds since 1970. A time further ahead than the longest wait was written by a wrong clock and is ignored. */
  list(
    model: string,
    { now, after, limit }: { readonly now: number; readonly after: WantedBlob | undefined; readonly limit: number },
  ): readonly WantedBlob[] {
    const waits =
      'SELECT 1 FROM $absent AS a WHERE a.model = w.model AND a.object = w.object AND a.hash = w.hash AND a.due BETWEEN ? AND ?'
    const sql = `SELECT object, hash FROM $wanted AS w WHERE model = ? AND (object, hash) > (?, ?) AND NOT EXISTS (${waits}) ORDER BY object, hash LIMIT ?`
    const from = [model, after?.object ?? '', after?.hash ?? ''] as const
    return this.#sql(sql).all(...from, now + 1, now + LONGEST_WAIT, limit) as unknown as readonly WantedBlob[]
  }

  remove(model: string, { object, hash }: WantedBlob): void {
    for (const table of ['$wanted', '$absent'])
      this.#sql(`DELETE FROM ${table} WHERE model = ? AND object = ? AND hash = ?`).run(model, object, hash)
  }

  /** The server lacked it at `now`: schedules the next request, after a longer wait each time. */
  putOff(model: string, { object, hash }: WantedBlob, now: number): void {
    const [row] = this.#sql('SELECT tries FROM $absent WHERE model = ? AND object = ? AND hash = ?').arrays(
      ...[model, object, hash],
    )
    const tries = (row?.[0] as number | undefined) ?? 0
    const due = now + Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(tries, 20))
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

/** The blobs that this device sent for attributes without `overwrite`, which it keeps showing whatever the server stores. */
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

  /** Removes entries of objects that this table does not have. */
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
