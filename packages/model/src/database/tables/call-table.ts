import { quote } from '../../columns/table-shape.js'
import type { Statement } from '../../platform/driver.js'
import type { DeviceDatabase } from '../database.js'
import type { File } from '../files.js'

interface PageCall {
  readonly page: string
  readonly number: number
}

/** The record of a call from another thread in one file. */
export interface CallRecord {
  /** The files that have this record. */
  readonly files: readonly string[]
  readonly reply: string
}

/** Records of calls from other threads that wrote to one file, kept until the page has the reply. */
export class CallTable {
  readonly file: File
  readonly #sql: (text: string) => Statement

  constructor(database: DeviceDatabase, file: File) {
    this.file = file
    this.#sql = database.over({ call: `${quote(file)}.call_note` })
  }

  get({ page, number }: PageCall): CallRecord | undefined {
    const row = this.#sql('SELECT files, reply FROM $call WHERE page = ? AND number = ?').arrays(page, number)[0]
    return row && { files: (row[0] as string).split(' '), reply: row[1] as string }
  }

  add({ page, number, files, reply, at }: PageCall & CallRecord & { readonly at: number }): void {
    this.#sql('INSERT INTO $call VALUES (?, ?, ?, ?, ?)').run(page, number, files.join(' '), reply, at)
  }

  remove({ page, number }: PageCall): void {
    this.#sql('DELETE FROM $call WHERE page = ? AND number = ?').run(page, number)
  }

  /** Returns the time of the latest record before `at`; 0 if there is none. */
  newestBefore(at: number): number {
    return (this.#sql('SELECT max(at) FROM $call WHERE at < ?').arrays(at)[0]?.[0] ?? 0) as number
  }

  removeBefore(at: number): void {
    if (this.newestBefore(at) > 0) this.#sql('DELETE FROM $call WHERE at < ?').run(at)
  }
}
