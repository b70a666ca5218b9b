import type { Attributes, AttributeValue, ObjectId } from '@godwit/protocol'
import type { Definition } from '../definition/definition.js'
import { entriesOf, isUndecided } from '../outbox/object-state.js'
import type { Query } from '../query/query-tree.js'
import { change } from './change.js'
import { checkId } from './check-id.js'
import { destroy, destroyAll } from './destroy.js'
import { insert, insertAll } from './insert.js'
import { observe } from './observe.js'
import { count, get, read } from './read-rows.js'
import { readSql } from './read-sql.js'
import type { RecordEngine } from './record-engine.js'
import type { RecordRow, Records } from './records.js'
import { AS_BEFORE, checkWritable } from './rules.js'

/** The engine of one model. Each call is a transaction, or part of the open one. */
export class ModelRecords implements Records {
  #engine: RecordEngine

  constructor(engine: RecordEngine) {
    this.#engine = engine
  }

  /** Replaces the engine after a new definition, for all holders of these records. Returns the old engine. */
  redefine(engine: RecordEngine): RecordEngine {
    const before = this.#engine
    this.#engine = engine
    return before
  }

  get definition(): Definition {
    return this.#engine.model.definition
  }

  get sourceId(): number {
    return this.#engine.model.sourceId
  }

  read(query: Query): readonly RecordRow[] {
    return read(this.#open, query)
  }

  readSql(sql: string, values: readonly AttributeValue[]): readonly RecordRow[] {
    return readSql(this.#open, sql, values)
  }

  count(query: Query): number {
    return count(this.#open, query)
  }

  get(object: ObjectId): RecordRow | undefined {
    return get(this.#open, this.#id(object))
  }

  insert(attributes: Attributes, object?: ObjectId): RecordRow {
    return this.#write(engine => insert(engine, attributes, object))
  }

  insertAgain(attributes: Attributes, object: ObjectId): RecordRow {
    return this.#write(engine => insert(engine, attributes, object, AS_BEFORE))
  }

  insertMany(all: readonly Attributes[]): readonly RecordRow[] {
    return this.#writable.database.transaction(() => insertAll(this.#open, all))
  }

  change(object: ObjectId, changes: Attributes): RecordRow | undefined {
    return this.#write(engine => change(engine, this.#id(object), changes))
  }

  changeAgain(object: ObjectId, changes: Attributes): RecordRow | undefined {
    return this.#write(engine => change(engine, object, changes, AS_BEFORE))
  }

  destroy(object: ObjectId): boolean {
    return this.#write(engine => destroy(engine, this.#id(object)))
  }

  destroyAll(query: Query): number {
    return this.#writable.database.transaction(() => destroyAll(this.#open, query))
  }

  hasChanges(given: ObjectId): boolean {
    const { model, idOf } = this.#open
    const object = this.#id(given)
    return model.synced && isUndecided(model, idOf(object))
  }

  anyChanges(): boolean {
    const { model } = this.#open
    return model.synced && model.scope.outbox.hasAny(model.name)
  }

  canModify(given: ObjectId): boolean {
    const { model, idOf } = this.#open
    const object = this.#id(given)
    return !model.synced || entriesOf(model, idOf(object)).every(({ number }) => number === null)
  }

  newId(): ObjectId {
    return this.#open.newId()
  }

  observe(query: Query, callback: (rows: readonly RecordRow[]) => void): () => void {
    return observe(() => this.#open, query, callback)
  }

  get #open(): RecordEngine {
    this.#engine.database.checkOpen()
    return this.#engine
  }

  #id(given: ObjectId): ObjectId {
    return checkId(this.#engine.model, given)
  }

  #write<T>(run: (engine: RecordEngine) => T): T {
    return this.#writable.database.write(() => run(this.#open))
  }

  get #writable(): RecordEngine {
    checkWritable(this.#open.model)
    return this.#open
  }
}
