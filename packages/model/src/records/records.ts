import type { Attributes, AttributeValue, ObjectId } from '@godwit/protocol'
import type { Definition } from '../definition/definition.js'
import type { Query } from '../query/query.js'

/** An object as the app sees it: the server's row with unsent changes laid over. Frozen. */
export interface RecordRow {
  readonly object: ObjectId
  readonly attributes: Attributes
  /** Of a query with joins: the objects that it names, by what joins call them. Undefined: not on this device. */
  readonly related?: { readonly [as: string]: RecordRow | undefined }
}

/**
 * The engine of one model, which both APIs call: synchronous, each call one transaction or a part of the open one. All rules of data are
 * here: frozen models, types, unique indexes, the outbox.
 */
export interface Records {
  readonly definition: Definition
  /** From 1 (user), 20001 (app), 40001 (local). */
  readonly sourceId: number

  read(query: Query): readonly RecordRow[]
  /** Rows of an SQL SELECT over models by name, joined back to this model by its `object` column; reads only. */
  readSql(sql: string, values: readonly AttributeValue[]): readonly RecordRow[]
  count(query: Query): number
  get(object: ObjectId): RecordRow | undefined

  /** A new id unless given. Defaults of the definition are filled in; null is absent. */
  insert(attributes: Attributes, object?: ObjectId): RecordRow
  /** Makes an object again that was there before, maybe under another definition: what is required and missing is not asked for. */
  insertAgain(attributes: Attributes, object: ObjectId): RecordRow
  insertMany(all: readonly Attributes[]): readonly RecordRow[]
  /** Writes what differs from the database; `null` removes an attribute. Undefined: there is no such object. */
  change(object: ObjectId, changes: Attributes): RecordRow | undefined
  /** The same with what was wanted before. */
  changeAgain(object: ObjectId, changes: Attributes): RecordRow | undefined
  /** False: there was none. */
  destroy(object: ObjectId): boolean
  /** In one transaction; how many went. */
  destroyAll(query: Query): number

  /** Created, updated or deleted, and not decided yet. Always false of a model that does not sync. */
  hasChanges(object: ObjectId): boolean
  anyChanges(): boolean
  /** False while a change of it is in a request. */
  canModify(object: ObjectId): boolean
  newId(): ObjectId

  /** Calls back at once, and after each transaction that changed the answer. Call the result to stop. */
  observe(query: Query, callback: (rows: readonly RecordRow[]) => void): () => void
}
