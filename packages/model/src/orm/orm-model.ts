import type { Attributes, ObjectId } from '@godwit/protocol'
import { checkMigrate, type Migrate } from '../definition/migration.js'
import type { Refusal } from '../definition/reported-changes.js'
import { enable, set, setAttribute, setBelongsTo, setIndex } from '../definition/settings.js'
import { EVERYTHING } from '../query/query-tree.js'
import { readFind, readPaginate } from '../query/read-options.js'
import { type Callback, type Texts, withCallback } from './as-text.js'
import { checkList } from './check-list.js'
import { findById, findRecords, readRecords, recordOf } from './find-records.js'
import { withDirections, withTextValues } from './lenient-values.js'
import { propertiesOf, setProperties } from './model-properties.js'
import type { ModelState } from './model-state.js'
import type { OrmRecord } from './orm-record.js'
import { ReadableSettings } from './readable-settings.js'
import { resolveRefusals } from './resolve-refusals.js'

export type SqlParameter = string | number | boolean | null
export type RecordReference = ObjectId | { readonly object?: ObjectId | undefined }

/** The result of `getModelProperty`. */
export interface PropertyFacts {
  readonly name: string
  readonly type: string
  readonly option: string | null
}

/** The class `NewORMModel`: the definition, properties, objects and undecided changes of a model. */
export class OrmModel extends ReadableSettings {
  readonly #state: ModelState

  constructor(state: ModelState) {
    super(state)
    this.#state = state
  }

  /** Creates or migrates the tables now instead of at first use. */
  initModel(): void {
    this.#state.ready()
  }

  /** Switches on `fixed_schema`, `sync`, `full_update` or `pass_through`. */
  enable(propertyName: string): void {
    this.#state.change(draft => enable(draft, propertyName))
  }

  /** Sets the function that migrates data to a new `schema_version`. Set it before the version, within `addModel`. */
  onMigrate(migrate: Migrate | undefined): void {
    const checked = checkMigrate(this.#state.name, migrate)
    this.#state.prepare(draft => {
      draft.migrate = checked
    })
  }

  /** Sets `partition`, `sync_type`, `sync_priority`, `freezed` or `schema_version`, as text or as a value. */
  set(propertyName: string, propertyValue: unknown): void {
    this.#state.change(draft => set(draft, propertyName, propertyValue))
  }

  /** Declares an attribute: String (default), Float, Integer, Boolean, Varchar or Blob, in any case. */
  setModelProperty(propertyName: string, propertyType?: string | null, propOption?: string | null): void {
    this.#state.change(draft => setAttribute(draft, propertyName, propertyType || undefined, propOption))
  }

  /** Returns null for an undeclared attribute. */
  getModelProperty(propertyName: string): PropertyFacts | null {
    const attribute = this.#state.definition.attributes.get(propertyName)
    return attribute === undefined ? null : { name: attribute.name, type: attribute.type, option: attribute.option }
  }

  /** Declares that an attribute holds ids of another model, which syncs first. Further calls add other models. */
  setBelongsTo(propertyName: string, sourceName: string): void {
    this.#state.change(draft => setBelongsTo(draft, propertyName, sourceName))
  }

  /** Returns the models whose ids an attribute holds, or null. */
  getBelongsTo(propertyName: string): readonly string[] | null {
    return this.#state.definition.belongsTo.get(propertyName) ?? null
  }

  /** Declares an index. A unique index rejects local writes of existing values with `not_unique`. */
  setSchemaIndex(indexName: string, indexCols: readonly string[] | string, isUnique: boolean = false): void {
    this.#state.change(draft => setIndex(draft, indexName, indexCols, isUnique))
  }

  /** Returns all settings, as text. */
  vars(): Texts {
    return propertiesOf(this.#state)
  }

  /** Returns true if there is a setting of this name. */
  has(propertyName: string): boolean {
    return Object.hasOwn(this.vars(), propertyName)
  }

  /** Returns a setting as text, and passes it to the callback. Undefined if there is no such setting. */
  getProperty(propertyName: string, callback?: Callback<string | undefined>): string | undefined {
    const vars = this.vars()
    return withCallback(Object.hasOwn(vars, propertyName) ? vars[propertyName] : undefined, callback)
  }

  getProperties(arrayofNames: readonly string[], callback?: Callback<Texts>): Texts {
    const names = checkList('getProperties', 'names', arrayofNames)
    const chosen = Object.entries(this.vars()).filter(([name]) => names.includes(name))
    return withCallback(Object.fromEntries(chosen), callback)
  }

  getAllProperties(callback?: Callback<Texts>): Texts {
    return withCallback(this.vars(), callback)
  }

  setProperty(propertyName: string, propertyValue: unknown): void {
    this.setProperties({ [propertyName]: propertyValue })
  }

  /** Sets all properties, or none if one is invalid. */
  setProperties(propertyMap: { readonly [name: string]: unknown }): void {
    setProperties(this.#state, propertyMap)
  }

  /** Counts the matching objects. */
  find(queryType: 'count', queryOptions?: unknown): number
  /** Returns the first match, or undefined. */
  find(queryType: 'first', queryOptions?: unknown): OrmRecord | undefined
  /** Returns all matches. Options: conditions, op, order, orderdir, select, offset, per_page, limit. */
  find(queryType?: 'all', queryOptions?: unknown): readonly OrmRecord[]
  find(queryOptions: object): readonly OrmRecord[]
  /** Returns the object of an id, or undefined. */
  find(object: ObjectId): OrmRecord | undefined
  find(type?: unknown, options?: unknown): number | OrmRecord | undefined | readonly OrmRecord[] {
    return findRecords(this.#state, type, options)
  }

  /** Like `find(id)`, but also finds objects whose id is `all`, `first` or `count`. */
  findById(object: ObjectId): OrmRecord | undefined {
    return findById(this.#state, object)
  }

  /** Runs a read-only SELECT over models by name. Returns the objects whose ids are in its column `object`, in its order. */
  find_by_sql(sqlQuery: string, ...values: readonly SqlParameter[]): readonly OrmRecord[] {
    const rows = this.#state.ready().readSql(sqlQuery, values)
    return rows.map(row => recordOf(this.#state, row))
  }

  /** Takes the options of `find`, and `page`, from 0. A page has 10 records unless `per_page` is set. */
  paginate(params?: unknown): readonly OrmRecord[] {
    return readRecords(this.#state, readPaginate(withDirections(params)))
  }

  getCount(): number {
    return this.#state.ready().count(EVERYTHING)
  }

  /** Creates and saves an object. */
  create(attrs: Attributes = {}): OrmRecord {
    const records = this.#state.ready()
    return recordOf(this.#state, records.insert(withTextValues(records.definition, attrs)))
  }

  /** Creates an object without saving it; call `save` on it. */
  make(attrs: Attributes = {}): OrmRecord {
    const record = recordOf(this.#state, { object: this.#state.ready().newId(), attributes: {} })
    record.setProperties(attrs)
    return record
  }

  /** Deletes the objects that match `conditions`, joined by `op`, in one transaction; without conditions, all. */
  delete_all(params?: unknown): void {
    this.#state.ready().destroyAll(readFind(params))
  }

  anyChangedObjects(): boolean {
    return this.#state.ready().anyChanges()
  }

  /** Returns true if any object has changes that the server has not decided. */
  changed(): boolean {
    return this.anyChangedObjects()
  }

  /** Returns true if the server has not decided a create, update or delete of the object. Always false for a model that does not sync. */
  hasChanges(objId: ObjectId): boolean {
    return this.#state.ready().hasChanges(objId)
  }

  /** Returns false while a change of the object has been sent and is not decided. */
  canModify(objId: ObjectId): boolean {
    return this.#state.ready().canModify(objId)
  }

  /** Pushes unsent changes. The promise never rejects: failures are reported by notifications and the list of refused changes. */
  pushChanges(): Promise<void> {
    this.#state.ready()
    return this.#state.device.pushChanges(this.#state.name)
  }

  /** Returns when the model last finished loading its changes, as ISO 8601; '' if it never has. */
  getBackendRefreshTime(): string {
    this.#state.ready()
    return this.#state.device.refreshTime(this.#state.name)
  }

  /** Sets the handler for refused changes. A change that it does not resolve by one of the methods below stays rolled back and listed. */
  onRefused(handler: ((refusal: Refusal) => void) | undefined): void {
    this.#state.ready()
    this.#state.device.onRefused(this.#state.name, handler)
  }

  /** Resolves refused creates: `delete` discards the objects, `recreate` creates them again. */
  onSyncCreateError(objects: readonly RecordReference[], action: 'delete' | 'recreate'): void {
    const ids = checkList('onSyncCreateError', 'ids or records', objects).map(one =>
      typeof one === 'object' && one !== null ? one.object : one,
    )
    resolveRefusals(
      this.#state,
      ids.filter(id => id !== undefined),
      { operation: 'create' },
      action,
    )
  }

  /**
   * Resolves a refused update: `rollback` keeps the object unchanged, `retry` writes these attributes or, if there are none, the refused ones. Of
   * several refusals it resolves the one with these attributes, otherwise the latest; a retry of a removed object stays listed.
   */
  onSyncUpdateError(objId: ObjectId, attrs: Attributes, _rollback: Attributes, action: 'retry' | 'rollback'): void {
    const attributes = withTextValues(this.#state.definition, attrs)
    resolveRefusals(this.#state, [objId], { operation: 'update', attributes }, action)
  }

  /** Resolves a refused delete: `retry` deletes the object again. */
  onSyncDeleteError(objId: ObjectId, _attrs: Attributes, action: 'retry'): void {
    resolveRefusals(this.#state, [objId], { operation: 'delete' }, action)
  }

  /** @deprecated Use `canModify`. */
  can_modify(objId: ObjectId): boolean {
    return this.canModify(objId)
  }

  /** @deprecated Use `anyChangedObjects`. */
  'changed?'(): boolean {
    return this.changed()
  }

  /** @deprecated Use `Sdk.clientId()`. Null before the first sync. */
  client_id(): string | null {
    return this.#state.device.clientId()
  }

  /** @deprecated Use `getCount`. */
  count(): number {
    return this.getCount()
  }

  /** @deprecated Use `delete_all`. */
  deleteAll(params?: unknown): void {
    this.delete_all(params)
  }

  /** @deprecated Use `find('all')`. Returns attributes by id. */
  find_all(): { readonly [object: ObjectId]: Attributes } {
    return Object.fromEntries(this.find('all').map(({ object, attributes }) => [object, attributes]))
  }

  /** @deprecated Use `getBackendRefreshTime`. */
  backend_refresh_time(): string {
    return this.getBackendRefreshTime()
  }

  /** @deprecated Use the property `source_id`. */
  get_source_id(): { readonly source_id: number } {
    return { source_id: this.source_id }
  }

  /** @deprecated Use the property `model_name`. */
  get_source_name(): { readonly source_name: string } {
    return { source_name: this.model_name }
  }

  /** @deprecated Use `pushChanges`. */
  push_changes(): Promise<void> {
    return this.pushChanges()
  }
}
