import type { Attributes, AttributeValue, ObjectId } from '@godwit/protocol'
import type { Definition } from '../definition/definition.js'
import type { Query } from '../query/query-tree.js'

/** An object as the app sees it: the server's row with undecided changes applied. Frozen. */
export interface RecordRow {
  readonly object: ObjectId
  readonly attributes: Attributes
  /** Related objects of a query with joins, by the join's name; undefined for one that is not on this device. */
  readonly related?: { readonly [as: string]: RecordRow | undefined }
}

/**
 * The synchronous engine of one model, used by both APIs. Each call is a transaction or part of the open one, and enforces all rules about data:
 * frozen models, types, unique indexes, the outbox.
 */
export interface Records {
  readonly definition: Definition
  /** The model's number: from 1 (user), 20001 (app) or 40001 (local). */
  readonly sourceId: number

  read(query: Query): readonly RecordRow[]
  /** Returns the rows of a read-only SELECT over models by name, joined back to this model by its `object` column. */
  readSql(sql: string, values: readonly AttributeValue[]): readonly RecordRow[]
  count(query: Query): number
  get(object: ObjectId): RecordRow | undefined

  /** Creates an object, with a new id unless one is given. Missing attributes get their defaults; null means absent. */
  insert(attributes: Attributes, object?: ObjectId): RecordRow
  /** Like `insert`, for an object that existed before: the definition may have changed, so required attributes may be missing. */
  insertAgain(attributes: Attributes, object: ObjectId): RecordRow
  insertMany(all: readonly Attributes[]): readonly RecordRow[]
  /** Writes the attributes that differ; `null` removes one. Returns undefined if there is no such object. */
  change(object: ObjectId, changes: Attributes): RecordRow | undefined
  /** Like `change`, for a change that was made before: the definition may have changed, so values may not match it. */
  changeAgain(object: ObjectId, changes: Attributes): RecordRow | undefined
  /** Removes an object. Returns false if there is no such object. */
  destroy(object: ObjectId): boolean
  /** Removes all matches in one transaction and returns their number. */
  destroyAll(query: Query): number

  /** Returns true while a create, update or delete of the object is undecided. Always false for a model that does not sync. */
  hasChanges(object: ObjectId): boolean
  anyChanges(): boolean
  /** Returns false while a change of the object has been sent and is not decided. */
  canModify(object: ObjectId): boolean
  newId(): ObjectId

  /** Calls back immediately and after each transaction that changed the result. The returned function stops it. */
  observe(query: Query, callback: (rows: readonly RecordRow[]) => void): () => void
}
