import { SyncError } from '@godwit/protocol'
import type { DeviceDatabase } from '../database/database.js'
import { FILES, type File } from '../database/files.js'
import { SettingsTable } from '../database/settings-table.js'
import { synchronousResult } from '../database/synchronous-result.js'
import { CallTable } from '../database/tables/call-table.js'
import type { CallId, CallRecords, RecordedCall, ReplyText } from './call-records.js'

const DAY_MS = 24 * 60 * 60 * 1000
const GENERATION = 'owner_generation'
/** Setting: records made up to this time may have been deleted. */
const FORGOTTEN = 'calls_forgotten'

/** Records of calls in the files of a device. */
export class StoredCallRecords implements CallRecords {
  readonly #database: DeviceDatabase
  readonly #clock: () => number
  readonly #settings: SettingsTable
  readonly #tables: readonly CallTable[]
  /** The files that hold each record written by this process. */
  readonly #files = new Map<string, readonly File[]>()
  readonly #due = new Map<string, CallId>()

  constructor(database: DeviceDatabase, clock: () => number) {
    this.#database = database
    this.#clock = clock
    this.#settings = new SettingsTable(database, 'main')
    this.#tables = FILES.map(file => new CallTable(database, file))
  }

  // Not durable, because a power failure also ends the pages that know the generation.
  begin(): number {
    return this.#database.transaction(() => {
      const generation = this.#generation() + 1
      this.#settings.set(GENERATION, String(generation))
      return generation
    })
  }

  once<T>(call: RecordedCall, run: () => T, text: ReplyText<T>): T {
    let keep = (): void => {}
    try {
      const result = this.#database.transaction(() => {
        if (this.#generation() !== call.generation) throw deviceMovedError()
        const stored = this.#readReply(call)
        if (stored !== undefined) return text.read(stored)
        if (call.repeat && call.made <= Number(this.#settings.get(FORGOTTEN) ?? 0)) throw forgotten(call)
        const reply = synchronousResult(run(), 'A call')
        keep = this.#record(call, text.write(reply))
        return reply
      })
      keep()
      return result
    } catch (error) {
      // A commit over several files that fails midway may have written some of them, as their records show.
      const stored = this.#readReply(call)
      if (stored === undefined) throw error
      return text.read(stored)
    }
  }

  acknowledge(page: string, numbers: readonly number[]): void {
    for (const number of numbers) this.#due.set(keyOf({ page, number }), { page, number })
  }

  flush(): void {
    const due = [...this.#due]
    const before = this.#clock() - DAY_MS
    this.#database.transaction(() => {
      const oldest = Math.max(...this.#tables.map(table => table.newestBefore(before)))
      if (oldest > Number(this.#settings.get(FORGOTTEN) ?? 0)) this.#settings.set(FORGOTTEN, String(oldest))
      for (const table of this.#tables) {
        table.removeBefore(before)
        for (const [, call] of due) if (table.get(call)) table.remove(call)
      }
    })
    for (const [key] of due) {
      this.#due.delete(key)
      this.#files.delete(key)
    }
  }

  #generation(): number {
    return Number(this.#settings.get(GENERATION) ?? 0)
  }

  /** Returns the reply that all files of a record have; undefined if none has one. */
  #readReply(call: CallId): string | undefined {
    const stored = this.#tables.flatMap(table => table.get(call) ?? [])
    const [first] = stored
    if (!first || first.files.length === stored.length) return first?.reply
    const message = `The device stopped while it stored ${describe(call)}, and only part of it was stored. Check the rows, then repeat what is missing.`
    throw new SyncError('call_unfinished', message, {
      details: { call: call.number, expected: first.files.length, found: stored.length },
    })
  }

  /** Records a call. Call the returned function after the commit. */
  #record(call: RecordedCall, reply: string): () => void {
    const files = this.#database.writtenFiles
    if (files.length === 0) return () => {}
    const at = this.#clock()
    const over = [...this.#due.values()].filter(one => this.#files.get(keyOf(one))?.every(file => files.includes(file)))
    for (const table of this.#tables) {
      if (!files.includes(table.file)) continue
      table.add({ ...call, files, reply, at })
      for (const one of over) table.remove(one)
    }
    return () => {
      this.#files.set(keyOf(call), files)
      for (const one of over) {
        this.#due.delete(keyOf(one))
        this.#files.delete(keyOf(one))
      }
    }
  }
}

const keyOf = ({ page, number }: CallId): string => `${number} ${page}`
const describe = ({ number }: CallId): string => `call ${number} of this page`

const deviceMovedError = (): SyncError =>
  new SyncError('device_moved', 'Another thread now owns the device. Nothing was stored.')

const forgotten = (call: CallId): SyncError =>
  new SyncError(
    'call_unfinished',
    `${describe(call)} was first called more than a day ago, and it is no longer known whether it was done. Check the rows, then repeat what is missing.`,
    { details: { call: call.number } },
  )
