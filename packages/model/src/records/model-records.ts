import type { Attributes, AttributeValue, ObjectId } from '@godwit/protocol'
import type { Definition } from '../definition/definition.js'
import { entriesOf, isUndecided } from '../outbox/standing.js'
import type { Query } from '../query/query.js'
import { change } from './change.js'
import { destroy } from './destroy.js'
import { destroyAll } from './destroy-all.js'
import type { Engine } from './engine.js'
import { insert } from './insert.js'
import { insertAll } from './insert-all.js'
import { observe } from './observe.js'
import { count, get, read } from './read.js'
import { readSql } from './read-sql.js'
import type { Records, Row } from './records.js'

/** The engine of one model: each call one transaction, or a part of the one that is open. */
export class ModelRecords implements Records {
  #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** Another definition: whoever holds these records goes on with it. The engine of before. */
  redefine(engine: Engine): Engine {
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

  read(query: Query): readonly Row[] {
    return read(this.#engine, query)
  }

  readSql(sql: string, values: readonly AttributeValue[]): readonly Row[] {
    return readSql(this.#engine, sql, values)
  }

  count(query: Query): number {
    return count(this.#engine, query)
  }

  get(object: ObjectId): Row | undefined {
    return get(this.#engine, object)
  }

  insert(attributes: Attributes, object?: ObjectId): Row {
    return this.#write(engine => insert(engine, attributes, object))
  }

  insertMany(all: readonly Attributes[]): readonly Row[] {
    return this.#engine.database.transaction(() => insertAll(this.#engine, all))
  }

  change(object: ObjectId, changes: Attributes): Row | undefined {
    return this.#write(engine => change(engine, object, changes))
  }

  destroy(object: ObjectId): boolean {
    return this.#write(engine => destroy(engine, object))
  }

  destroyAll(query: Query): number {
    return this.#engine.database.transaction(() => destroyAll(this.#engine, query))
  }

  hasChanges(given: ObjectId): boolean {
    const { model, idOf } = this.#engine
    return model.synced && isUndecided(model, idOf(given))
  }

  anyChanges(): boolean {
    const { model } = this.#engine
    return model.synced && model.partition.outbox.hasAny(model.name)
  }

  canModify(given: ObjectId): boolean {
    const { model, idOf } = this.#engine
    return !model.synced || entriesOf(model, idOf(given)).every(({ number }) => number === null)
  }

  newId(): ObjectId {
    return this.#engine.newId()
  }

  observe(query: Query, callback: (rows: readonly Row[]) => void): () => void {
    return observe(() => this.#engine, query, callback)
  }

  #write<T>(run: (engine: Engine) => T): T {
    return this.#engine.database.write(() => run(this.#engine))
  }
}
