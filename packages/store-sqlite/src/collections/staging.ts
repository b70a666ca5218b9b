import type { ObjectId } from '@godwit/protocol'
import { RemovedIds } from '@godwit/store/history'
import type { SqliteConnection } from '../connection.js'
import type { Database } from '../database.js'

/** A staged change: the new text, or null for a removal. */
export interface StagedChange {
  /** 0 for a change; 1 for a removal, which sorts last. */
  readonly removal: number
  readonly id: ObjectId
  readonly text: string | null
}

const CREATE = 'CREATE TABLE staged (removal INTEGER, id TEXT, text TEXT, PRIMARY KEY (removal, id)) WITHOUT ROWID'
const PUT = 'INSERT OR REPLACE INTO staged (removal, id, text) VALUES (?, ?, ?)'
const TAKE_BACK = 'DELETE FROM staged WHERE removal = 0 AND id = ?'
const PAGE = 'SELECT removal, id, text FROM staged WHERE removal = ? AND id > ? ORDER BY id LIMIT ?'

/** Staged changes and removals of one query, in a temporary database that is created at the first of them. */
export class Staging {
  readonly #database: Database
  #scratch: SqliteConnection | undefined
  readonly removals = new RemovedIds()

  constructor(database: Database) {
    this.#database = database
  }

  /** Stages a change. A later text for the same id wins. */
  put(id: ObjectId, text: string): void {
    this.#open().statement(PUT).run(0, id, text)
  }

  takeBack(id: ObjectId): void {
    this.#scratch?.statement(TAKE_BACK).run(id)
  }

  remove(id: ObjectId): void {
    this.#open().statement(PUT).run(1, id, null)
    this.removals.add(id)
  }

  /** Returns the next changes or removals, never both in one page; an empty page at the end. */
  page(after: Pick<StagedChange, 'removal' | 'id'> | undefined, limit: number): readonly StagedChange[] {
    const { removal, id } = after ?? { removal: 0, id: '' }
    const page = this.#scratch?.statement<StagedChange>(PAGE).all(removal, id, limit) ?? []
    return page.length === 0 && removal === 0 ? this.page({ removal: 1, id: '' }, limit) : page
  }

  close(): void {
    this.#scratch?.handle.close()
    this.#scratch = undefined
  }

  #open(): SqliteConnection {
    if (!this.#scratch) {
      this.#scratch = this.#database.scratch()
      this.#scratch.handle.exec(CREATE)
    }
    return this.#scratch
  }
}
