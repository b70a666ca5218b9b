import { Checksum, type ObjectId } from '@godwit/protocol'
import type { AppliedBatch, ChangeOrigin } from '@godwit/store'
import { advancement, changeObject, type ObjectChange, previousOf } from '@godwit/store/history'
import type { SqliteConnection } from '../connection.js'
import type { Database } from '../database.js'
import { isLeased } from '../leases.js'
import type { SqliteStatement } from '../sqlite-handle.js'
import { CommitChanges, logCommit } from './change-log.js'
import type { CollectionRow } from './head.js'
import { INSERT_BATCH } from './make.js'

/** The stored row of an object. */
export interface ObjectRow {
  readonly row: number
  readonly version: number
  /** Null for a tombstone. */
  readonly text: string | null
}

export const SELECT_OBJECT = 'SELECT row, version, text FROM object WHERE collection = ? AND id = ?'
export const INSERT_OBJECT = 'INSERT INTO object (collection, id, version, text) VALUES (?, ?, ?, ?)'
export const UPDATE_OBJECT = 'UPDATE object SET version = ?, text = ? WHERE row = ?'
export const UPDATE_COLLECTION =
  'UPDATE collection SET version = ?, mark = ?, time = ?, count = ?, checksum = ? WHERE number = ?'

const SELECT_CALLED = `
SELECT 1 FROM mutation WHERE collection = ? AND object = ? AND decided = 0 AND state = 'started' LIMIT 1`

/** A batch: all its changes get one new version; without changes there is none. It is opened and closed within one write. */
export class OpenBatch {
  readonly #database: Database
  readonly #connection: SqliteConnection
  readonly #collection: CollectionRow
  readonly #checksum: Checksum
  readonly #version: number
  readonly #select: SqliteStatement<ObjectRow>
  readonly #insert: SqliteStatement
  readonly #update: SqliteStatement
  readonly #changes = new CommitChanges()
  /** The present origin as JSON. */
  #origin = 'null'
  #count: number
  #changedCount = 0
  #keepsEqual: boolean | undefined

  constructor(database: Database, connection: SqliteConnection, collection: CollectionRow) {
    this.#database = database
    this.#connection = connection
    this.#collection = collection
    this.#checksum = new Checksum(collection.checksum)
    this.#version = collection.version + 1
    this.#count = collection.count
    this.#select = connection.statement(SELECT_OBJECT)
    this.#insert = connection.statement(INSERT_OBJECT)
    this.#update = connection.statement(UPDATE_OBJECT)
  }

  /** The collection's row, with the version after the changes so far. */
  get collection(): CollectionRow {
    return this.#changedCount > 0 ? { ...this.#collection, version: this.#version } : this.#collection
  }

  /** Sets the origin of the following changes. */
  from(origin: ChangeOrigin | undefined): this {
    this.#origin = JSON.stringify(origin ?? null)
    return this
  }

  row(id: ObjectId): ObjectRow | undefined {
    return this.#select.get(this.#collection.number, id)
  }

  /**
   * Applies a backend's change. It is written even if equal while a query runs or the object has a call in progress, since replace and settlement
   * depend on it.
   */
  hear(id: ObjectId, change: ObjectChange): void {
    const present = this.row(id)
    const heard = changeObject(present?.text, change)
    if (heard && (!heard.equal || this.#keepEqual() || this.#isCalled(id))) this.put(id, present, heard.text)
  }

  /** Applies a change to the object's present row. Writes it only if it differs, or while a query runs; returns the resulting row. */
  change(id: ObjectId, present: ObjectRow | undefined, change: ObjectChange): ObjectRow | undefined {
    const changed = changeObject(present?.text, change)
    if (!changed || (changed.equal && !this.#keepEqual())) return present
    return this.put(id, present, changed.text)
  }

  /** Applies what a source reports of an object, `null` for a removal. Returns false if the object changed after `since` and differs: it is spared. */
  advance(id: ObjectId, text: string | null, since: number): boolean {
    const present = this.row(id)
    const verdict = advancement(present, text, since)
    const isWritten = verdict === 'write' || (verdict === 'equal' && (this.#keepEqual() || this.#isCalled(id)))
    if (isWritten) this.put(id, present, text)
    return verdict !== 'spare'
  }

  /** Writes an object and returns its new row. */
  put(id: ObjectId, present: ObjectRow | undefined, text: string | null): ObjectRow {
    this.#changedCount++
    this.#tally(id, present, text)
    this.#changes.record(id, previousOf(present), this.#origin)
    const version = this.#version
    if (present) this.#update.run(version, text, present.row)
    const row = present?.row ?? Number(this.#insert.run(this.#collection.number, id, version, text).lastInsertRowid)
    return { row, version, text }
  }

  close(): AppliedBatch {
    const { number, epoch, version, mark } = this.#collection
    const reported = { epoch, changed: this.#changedCount, count: this.#count }
    return this.#changedCount === 0 ? { version, mark, ...reported } : { ...this.#head(number), ...reported }
  }

  #head(number: number): Pick<AppliedBatch, 'version' | 'mark'> {
    const [version, mark] = [this.#version, this.#database.randomId()]
    // Times never decrease, so that a version is the head from its time until the next version's.
    const time = Math.max(this.#collection.time, this.#database.now())
    const values = [version, mark, time, this.#count, this.#checksum.toString(), number] as const
    this.#connection.statement(UPDATE_COLLECTION).run(...values)
    this.#connection.statement(INSERT_BATCH).run(number, version, mark, time)
    const commit = { collection: number, version, time, count: this.#count, changes: this.#changes }
    logCommit(this.#connection, commit)
    return { version, mark }
  }

  #tally(id: ObjectId, present: ObjectRow | undefined, text: string | null): void {
    if (present && present.text !== null) {
      this.#checksum.remove(id, present.version)
      this.#count--
    }
    if (text !== null) {
      this.#checksum.add(id, this.#version)
      this.#count++
    }
  }

  #isCalled(id: ObjectId): boolean {
    return this.#connection.statement(SELECT_CALLED).get(this.#collection.number, id) !== undefined
  }

  /** True while a query runs: it must see even equal writes. */
  #keepEqual(): boolean {
    const { source, partition } = this.#collection
    const query = { kind: 'query', collection: { source, partition } } as const
    this.#keepsEqual ??= isLeased(this.#database, this.#connection, query)
    return this.#keepsEqual
  }
}
