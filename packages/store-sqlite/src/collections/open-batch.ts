import { Checksum, type ObjectId } from '@godwit/protocol'
import type { AppliedBatch, ChangeOrigin } from '@godwit/store'
import { changeObject, type ObjectChange, previousOf } from '@godwit/store/history'
import type { SqliteConnection } from '../connection.js'
import type { Database } from '../database.js'
import { isLeased } from '../leases.js'
import type { SqliteStatement } from '../sqlite-handle.js'
import { CommitChanges, logCommit } from './change-log.js'
import type { CollectionRow } from './head.js'
import { INSERT_BATCH } from './make.js'

/** What is stored of an object. */
export interface ObjectRow {
  readonly row: number
  readonly version: number
  /** null: a tombstone. */
  readonly text: string | null
}

export const SELECT_OBJECT = 'SELECT row, version, text FROM object WHERE collection = ? AND id = ?'
export const INSERT_OBJECT = 'INSERT INTO object (collection, id, version, text) VALUES (?, ?, ?, ?)'
export const UPDATE_OBJECT = 'UPDATE object SET version = ?, text = ? WHERE row = ?'
export const UPDATE_COLLECTION =
  'UPDATE collection SET version = ?, mark = ?, time = ?, count = ?, checksum = ? WHERE number = ?'

const SELECT_CALLED = `
SELECT 1 FROM mutation WHERE collection = ? AND object = ? AND decided = 0 AND state = 'started' LIMIT 1`

/** A batch: everything that is put into it gets one new version; an empty batch gets none. It is opened and closed in the same step. */
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
  /** As JSON. */
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

  /** The collection, with the version that it has by now. */
  get collection(): CollectionRow {
    return this.#changedCount > 0 ? { ...this.#collection, version: this.#version } : this.#collection
  }

  /** Who makes what is put from now on. */
  from(origin: ChangeOrigin | undefined): this {
    this.#origin = JSON.stringify(origin ?? null)
    return this
  }

  row(id: ObjectId): ObjectRow | undefined {
    return this.#select.get(this.#collection.number, id)
  }

  /** What a backend says: also that an object is what it is here, while it is being called for it. The settlement of the call has to know. */
  hear(id: ObjectId, change: ObjectChange): void {
    const present = this.row(id)
    const heard = changeObject(present?.text, change)
    if (heard && (!heard.equal || this.#keepEqual() || this.#isCalled(id))) this.put(id, present, heard.text)
  }

  /** What a change makes of an object that stands there as `present`; it is put only if that is something else. */
  change(id: ObjectId, present: ObjectRow | undefined, change: ObjectChange): ObjectRow | undefined {
    const changed = changeObject(present?.text, change)
    if (!changed || (changed.equal && !this.#keepEqual())) return present
    return this.put(id, present, changed.text)
  }

  /** What stands there afterwards. */
  put(id: ObjectId, present: ObjectRow | undefined, text: string | null): ObjectRow {
    this.#changedCount++
    this.#tally(id, present, text)
    this.#changes.note(id, previousOf(present), this.#origin)
    const version = this.#version
    if (present) this.#update.run(version, text, present.row)
    const row = present?.row ?? Number(this.#insert.run(this.#collection.number, id, version, text).lastInsertRowid)
    return { row, version, text }
  }

  close(): AppliedBatch {
    const { number, epoch, version, mark } = this.#collection
    const told = { epoch, changed: this.#changedCount, count: this.#count }
    return this.#changedCount === 0 ? { version, mark, ...told } : { ...this.#head(number), ...told }
  }

  #head(number: number): Pick<AppliedBatch, 'version' | 'mark'> {
    const [version, mark] = [this.#version, this.#database.randomId()]
    // Times never run back, so that a version is the head from its time to the next one's.
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

  /** A running query must see that somebody wrote, even if it was the same. */
  #keepEqual(): boolean {
    const { source, partition } = this.#collection
    const query = { kind: 'query', collection: { source, partition } } as const
    this.#keepsEqual ??= isLeased(this.#database, this.#connection, query)
    return this.#keepsEqual
  }
}
