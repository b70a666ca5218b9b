import type { Attributes, AttributeValue, ObjectId } from '@godwit/protocol'
import type { Definition } from '../definition/definition.js'
import type { Query } from '../query/query.js'

/** An object as the app sees it: the server's row with undecided changes applied. Frozen. */
export interface RecordRow {
  readonly object: ObjectId
  readonly attributes: Attributes
  /** Related objects of a query with joins, by the join's name. Undefined: not on this device. */
  readonly related?: { readonly [as: string]: RecordRow | undefined }
}

/**
 * The synchronous engine of one model, which both APIs use; each call is a transaction or part of the open one. It holds all rules about data: frozen
 * models, types, unique indexes, the outbox.
 */
export interface Records {
  readonly definition: Definition
  /** From 1 (user), 20001 (app), 40001 (local). */
  readonly sourceId: number

  read(query: Query): readonly RecordRow[]
  /** Returns the rows of a read-only SELECT over models by name, joined back to this model by its `object` column. */
  readSql(sql: string, values: readonly AttributeValue[]): readonly RecordRow[]
  count(query: Query): number
  get(object: ObjectId): RecordRow | undefined

  /** Creates an object, with a new id unless one is given. Missing attributes get their defaults; null means absent. */
  insert(attributes: Attributes, object?: ObjectId): RecordRow
  /** Creates an object that existed before, maybe under another definition: required attributes may be missing. */
  insertAgain(attributes: Attributes, object: ObjectId): RecordRow
  insertMany(all: readonly Attributes[]): readonly RecordRow[]
  /** Writes the attributes that differ; `null` removes one. Returns undefined if there is no such object. */
  change(object: ObjectId, changes: Attributes): RecordRow | undefined
  /** The same for a change made earlier, maybe under another definition. */
  changeAgain(object: ObjectId, changes: Attributes): RecordRow | undefined
  /** Returns false if there was none. */
  destroy(object: ObjectId): boolean
  /** Removes all matches in one transaction and returns their number. */
  destroyAll(query: Query): number

  /** True while a create, update or delete is undecided. Always false for a model that does not sync. */
  hasChanges(object: ObjectId): boolean
  anyChanges(): boolean
  /** False while a request carries a change of the object. */
  canModify(object: ObjectId): boolean
  newId(): ObjectId

  /** Calls back immediately, and after each transaction that changed the result. Call the result to stop. */
  observe(query: Query, callback: (rows: readonly RecordRow[]) => void): () => void
}
