import { type Attributes, type ObjectId, SyncError } from '@godwit/protocol'
import { Draft } from '../definition/draft.js'
import type { Device, Refusal } from '../device.js'
import type { Query } from '../query/query.js'
import { readFind, readPaginate } from '../query/read-options.js'
import type { Records } from '../records/records.js'
import { type Callback, given, type Texts } from './as-text.js'
import { OrmRecord } from './orm-record.js'

/** What `getModelProperty` tells. */
export interface PropertyFacts {
  readonly name: string
  readonly type: string
  readonly option: string | null
}

type Objects = readonly (ObjectId | { readonly object: ObjectId | undefined })[]

/** Settings that `setProperty` of a model does not take. */
const READ_ONLY = ['associations', 'loaded', 'model_name', 'source_id', 'fixed_schema'] as const

/** The model of the document: definition, queries and sync of one named model. Made per device by `createOrm`. */
export class OrmModel {
  readonly #device: Device
  readonly #draft: Draft
  #records: Records | undefined

  constructor(device: Device, name: string) {
    this.#device = device
    this.#draft = new Draft(name)
  }

  /** Makes or migrates the model's tables. Any use of the model does the same. */
  initModel(): void {
    this.#ready()
  }

  // Defining

  enable(name: string): void {
    this.#draft.enable(name)
    this.#again()
  }

  set(name: string, value: unknown): void {
    this.#draft.set(name, value)
    this.#again()
  }

  setModelProperty(name: string, type?: string, option?: string | null): void {
    this.#draft.setAttribute(name, type, option)
    this.#again()
  }

  getModelProperty(name: string): PropertyFacts | null {
    const attribute = this.#draft.attribute(name)
    return attribute === undefined ? null : { name: attribute.name, type: attribute.type, option: attribute.option }
  }

  setBelongsTo(attribute: string, model: string): void {
    this.#draft.setBelongsTo(attribute, model)
    this.#again()
  }

  /** The models whose ids an attribute holds, or null. */
  getBelongsTo(attribute: string): readonly string[] | null {
    const owner = this.#definition.belongsTo.get(attribute)
    return owner === undefined ? null : [owner]
  }

  setSchemaIndex(name: string, columns: readonly string[], isUnique: boolean = false): void {
    this.#draft.setIndex(name, columns, isUnique)
    this.#again()
  }

  // Settings

  get model_name(): string {
    return this.#draft.name
  }

  get source_id(): number {
    return this.#ready().sourceId
  }

  get partition(): string {
    return this.#definition.partition
  }

  get sync_type(): string {
    return this.#definition.syncType
  }

  get sync_priority(): number {
    return this.#definition.syncPriority
  }

  get fixed_schema(): boolean {
    return this.#definition.storage === 'fixed'
  }

  get freezed(): boolean {
    return this.#definition.freezed
  }

  get loaded(): boolean {
    return this.#records !== undefined
  }

  /** `Child,attribute,…`: who holds ids of this model. */
  get associations(): string {
    const children = this.#device.names().flatMap(name => {
      const belongsTo = this.#device.find(name)?.definition.belongsTo ?? new Map<string, string>()
      return [...belongsTo].filter(([, owner]) => owner === this.model_name).flatMap(([attribute]) => [name, attribute])
    })
    return children.join(',')
  }

  vars(): Texts {
    return {
      model_name: this.model_name,
      source_id: String(this.source_id),
      partition: this.partition,
      sync_type: this.sync_type,
      sync_priority: String(this.sync_priority),
      fixed_schema: String(this.fixed_schema),
      freezed: String(this.freezed),
      loaded: String(this.loaded),
      associations: this.associations,
      schema_version: String(this.#definition.schemaVersion),
    }
  }

  has(name: string): boolean {
    return Object.hasOwn(this.vars(), name) || this.#draft.attribute(name) !== undefined
  }

  getProperty(name: string, callback?: Callback<string | undefined>): string | undefined {
    return given(Object.hasOwn(this.vars(), name) ? this.vars()[name] : undefined, callback)
  }

  getProperties(names: readonly string[], callback?: Callback<Texts>): Texts {
    const vars = this.vars()
    return given(
      Object.fromEntries(names.filter(name => Object.hasOwn(vars, name)).map(name => [name, vars[name] ?? ''])),
      callback,
    )
  }

  getAllProperties(callback?: Callback<Texts>): Texts {
    return given(this.vars(), callback)
  }

  setProperty(name: string, value: unknown): void {
    if ((READ_ONLY as readonly string[]).includes(name)) {
      throw new SyncError('definition_invalid', `${name} of a model can only be read.`)
    }
    this.set(name, value)
  }

  setProperties(values: { readonly [name: string]: unknown }): void {
    for (const [name, value] of Object.entries(values)) this.setProperty(name, value)
  }

  // Finding

  find(type: 'count', options?: unknown): number
  find(type: 'first', options?: unknown): OrmRecord | undefined
  find(type?: 'all', options?: unknown): readonly OrmRecord[]
  find(options: object): readonly OrmRecord[]
  find(object: ObjectId): OrmRecord | undefined
  find(type: unknown = 'all', options?: unknown): unknown {
    if (typeof type === 'object' && type !== null) return this.#read(readFind(type))
    if (type === 'all') return this.#read(readFind(options))
    if (type === 'first') return this.#read({ ...readFind(options), limit: 1 })[0]
    if (type === 'count') return this.#ready().count(readFind(options))
    if (typeof type === 'string' && options === undefined) return this.findById(type)
    throw new SyncError('query_invalid', `find takes 'all', 'first', 'count' or an id; ${JSON.stringify(type)} came.`)
  }

  /** Also finds objects whose id is `all`, `first` or `count`. */
  findById(object: ObjectId): OrmRecord | undefined {
    const row = this.#ready().get(object)
    return row === undefined ? undefined : this.#record(row)
  }

  /** Reads only. */
  find_by_sql(sql: string, ...values: readonly (string | number | boolean | null)[]): readonly OrmRecord[] {
    return this.#ready()
      .readSql(sql, values)
      .map(row => this.#record(row))
  }

  /** @deprecated use find('all') */
  find_all(): { readonly [object: ObjectId]: Attributes } {
    const rows = this.#ready().read(readFind(undefined))
    return Object.fromEntries(rows.map(({ object, attributes }) => [object, attributes]))
  }

  /** Pages count from 0; 10 records a page. */
  paginate(params: object = {}): readonly OrmRecord[] {
    return this.#read(readPaginate(params))
  }

  getCount(): number {
    return this.#ready().count(readFind(undefined))
  }

  /** @deprecated use getCount */
  count(): number {
    return this.getCount()
  }

  // Recording

  /** Makes an object and saves it. */
  create(attributes: Attributes = {}): OrmRecord {
    return this.#record(this.#ready().insert(attributes))
  }

  /** Makes a record that is not saved; `save` does. */
  make(attributes: Attributes = {}): OrmRecord {
    return this.#record({ object: undefined, attributes })
  }

  /** In one transaction. */
  delete_all(params: object = {}): void {
    this.#ready().destroyAll(readFind(params))
  }

  /** @deprecated use delete_all */
  deleteAll(params: object = {}): void {
    this.delete_all(params)
  }

  // Syncing

  anyChangedObjects(): boolean {
    return this.#ready().anyChanges()
  }

  changed(): boolean {
    return this.anyChangedObjects()
  }

  /** @deprecated use anyChangedObjects */
  'changed?'(): boolean {
    return this.anyChangedObjects()
  }

  hasChanges(object: ObjectId): boolean {
    return this.#ready().hasChanges(object)
  }

  canModify(object: ObjectId): boolean {
    return this.#ready().canModify(object)
  }

  /** @deprecated use canModify */
  can_modify(object: ObjectId): boolean {
    return this.canModify(object)
  }

  /** Failures go to notifications and to the refused list, never to the promise. */
  pushChanges(): Promise<void> {
    this.#ready()
    return this.#device.pushChanges(this.model_name)
  }

  /** @deprecated use pushChanges */
  push_changes(): Promise<void> {
    return this.pushChanges()
  }

  /** Hears of every refused change; what it does not decide by one of the handlers below stays rolled back and listed. */
  onRefused(handler: ((refusal: Refusal) => void) | undefined): void {
    this.#ready()
    this.#device.onRefused(this.model_name, handler)
  }

  /** `delete` leaves the refused objects away, `recreate` makes them again. */
  onSyncCreateError(objects: Objects, action: 'delete' | 'recreate'): void {
    for (const object of objects)
      this.#resolve(typeof object === 'string' ? object : (object.object ?? ''), 'create', action)
  }

  /** `rollback` leaves the object as the server has it, `retry` changes it again. */
  onSyncUpdateError(
    object: ObjectId,
    _attributes: Attributes,
    _rollback: Attributes,
    action: 'retry' | 'rollback',
  ): void {
    this.#resolve(object, 'update', action)
  }

  /** `retry` deletes it again. */
  onSyncDeleteError(object: ObjectId, _attributes: Attributes, action: 'retry'): void {
    this.#resolve(object, 'delete', action)
  }

  /** @deprecated the client id is the SDK's */
  client_id(): string | null {
    return this.#device.clientId()
  }

  /** ISO 8601; '' before the first. */
  getBackendRefreshTime(): string {
    this.#ready()
    return this.#device.refreshTime(this.model_name)
  }

  /** @deprecated use getBackendRefreshTime */
  backend_refresh_time(): string {
    return this.getBackendRefreshTime()
  }

  /** @deprecated use the property source_id */
  get_source_id(): { readonly source_id: number } {
    return { source_id: this.source_id }
  }

  /** @deprecated use the property model_name */
  get_source_name(): { readonly source_name: string } {
    return { source_name: this.model_name }
  }

  get #definition() {
    return this.#draft.definition()
  }

  /** The first use defines the model. */
  #ready(): Records {
    this.#records ??= this.#device.define(this.#definition)
    return this.#records
  }

  /** A setting after the first use migrates at once, so that it fails where it was made. */
  #again(): void {
    if (this.#records !== undefined) this.#records = this.#device.define(this.#definition)
  }

  #read(query: Query): readonly OrmRecord[] {
    return this.#ready()
      .read(query)
      .map(row => this.#record(row))
  }

  #record(row: { readonly object: ObjectId | undefined; readonly attributes: Attributes }): OrmRecord {
    return new OrmRecord(() => this.#ready(), row)
  }

  #resolve(
    object: ObjectId,
    operation: Refusal['operation'],
    action: 'delete' | 'recreate' | 'retry' | 'rollback',
  ): void {
    this.#ready()
    this.#device.resolveRefusal({ model: this.model_name, object, operation }, action)
  }
}
