import type { PartitionParameters } from '@godwit/protocol'
import { EVERYTHING, type Query } from '../query/query-tree.js'
import type { Device } from '../records/device-interface.js'
import type { RecordRow, Records } from '../records/records.js'
import type { SubscribeOptions } from '../subscriptions/subscribe.js'
import {
  handleOf,
  type RemoteSubscription,
  type Subscribing,
  type Subscription,
  subscriptionOn,
} from '../subscriptions/subscription.js'
import type { BlobLike } from './attribute.js'
import { checkCallback } from './check-callback.js'
import type {
  Conditions,
  CountOptions,
  FindOptions,
  NoRelations,
  PageOptions,
  RowOptions,
  RowWith,
  With,
} from './find-options.js'
import type { AttributesOf, FullRow, KeyIn, ParametersOf, ResetOf, WrittenOf } from './infer.js'
import { type LiveQuery, liveRows } from './live-rows.js'
import { type NameMap, toAttributes } from './name-map.js'
import { readConditions } from './read-conditions.js'
import { readFind, readPage } from './read-find.js'
import { type ToRow, toRow } from './to-row.js'

/** How methods return results: `here` directly, `remote` as promises. */
export type Access = 'here' | 'remote'
/** The result type of a method: `T` in the device's thread, a promise of `T` in another thread. */
export type AccessResult<P extends Access, T> = { here: T; remote: Promise<T> }[P]
/** Additional types of files that can be passed from another thread. */
type FileOf<P extends Access> = { here: never; remote: BlobLike }[P]

/** The argument of `create`, by the model's name so that errors show it. Required attributes are a separate part, which errors print in full. */
export type CreateAttributes<Name, Ms, P extends Access = 'here'> = {
  readonly [K in keyof AttributesOf<Name, Ms> as AttributesOf<Name, Ms>[K] extends { readonly presence: 'required' }
    ? K
    : never]: WrittenOf<AttributesOf<Name, Ms>[K], FileOf<P>>
} & {
  readonly [K in keyof AttributesOf<Name, Ms> as AttributesOf<Name, Ms>[K] extends { readonly presence: 'required' }
    ? never
    : K]?: WrittenOf<AttributesOf<Name, Ms>[K], FileOf<P>> | undefined
}
/** The argument of `update`, by the model's name: omitted and undefined attributes stay, `null` removes. */
export type UpdateAttributes<Name, Ms, P extends Access = 'here'> = {
  readonly [K in keyof AttributesOf<Name, Ms>]?:
    | WrittenOf<AttributesOf<Name, Ms>[K], FileOf<P>>
    | ResetOf<AttributesOf<Name, Ms>[K]>
    | undefined
}

/** One model of an open device. Rows are plain frozen data. */
export interface TypedModel<Name, Ms, P extends Access = 'here'> {
  readonly name: Name
  /**
   * Returns rows of this device, in order of creation unless `order` is given.
   * @example
   * models.Visit.find({ conditions: { city: 'c1' }, order: { date: 'desc' }, limit: 20 })
   */
  find<
    const S extends keyof AttributesOf<Name, Ms> & string = KeyIn<Name, Ms>,
    const W extends With<Name, Ms> = NoRelations,
  >(options?: FindOptions<Name, Ms, S, W>): AccessResult<P, readonly RowWith<Name, Ms, S, W>[]>
  /**
   * Returns the first row of `find`.
   * @example
   * models.Visit.first({ order: { date: 'desc' } })
   */
  first<
    const S extends keyof AttributesOf<Name, Ms> & string = KeyIn<Name, Ms>,
    const W extends With<Name, Ms> = NoRelations,
  >(options?: FindOptions<Name, Ms, S, W>): AccessResult<P, RowWith<Name, Ms, S, W> | undefined>
  /**
   * Returns the row with a real or temporary id; undefined if it is not on this device.
   * @example
   * models.Visit.get(id)?.note
   */
  get<
    const S extends keyof AttributesOf<Name, Ms> & string = KeyIn<Name, Ms>,
    const W extends With<Name, Ms> = NoRelations,
  >(id: string, options?: RowOptions<Name, Ms, S, W>): AccessResult<P, RowWith<Name, Ms, S, W> | undefined>
  /**
   * Returns the number of matching rows.
   * @example
   * models.Visit.count({ conditions: { done: false } })
   */
  count(options?: CountOptions<Name, Ms>): AccessResult<P, number>
  /**
   * Returns one page; pages count from 0.
   * @example
   * models.Visit.paginate({ page: 2, perPage: 50 })
   */
  paginate<
    const S extends keyof AttributesOf<Name, Ms> & string = KeyIn<Name, Ms>,
    const W extends With<Name, Ms> = NoRelations,
  >(options: PageOptions<Name, Ms, S, W>): AccessResult<P, readonly RowWith<Name, Ms, S, W>[]>
  /**
   * Creates an object and returns its row. Throws `attribute_invalid`, `record_invalid` or `not_unique` without storing anything.
   * @example
   * const visit = models.Visit.create({ city: 'c1', note: 'first visit' })
   */
  create(attributes: CreateAttributes<Name, Ms, P>): AccessResult<P, FullRow<Name, Ms>>
  /**
   * Creates objects in one transaction.
   * @example
   * models.Visit.createMany([{ city: 'c1' }, { city: 'c2' }])
   */
  createMany(all: readonly CreateAttributes<Name, Ms, P>[]): AccessResult<P, readonly FullRow<Name, Ms>[]>
  /**
   * Writes the attributes that differ; `null` removes a value or resets it to its default. Returns undefined if there is no such object.
   * @example
   * models.Visit.update(visit.id, { note: null, done: true })
   */
  update(id: string, changes: UpdateAttributes<Name, Ms, P>): AccessResult<P, FullRow<Name, Ms> | undefined>
  /**
   * Updates all matching objects in one transaction and returns their number.
   * @example
   * models.Visit.updateMany({ city: 'c1' }, { done: true })
   */
  updateMany(conditions: Conditions<Name, Ms>, changes: UpdateAttributes<Name, Ms, P>): AccessResult<P, number>
  /**
   * Deletes an object. Returns false if there is no such object.
   * @example
   * models.Visit.destroy(visit.id)
   */
  destroy(id: string): AccessResult<P, boolean>
  /**
   * Deletes all matching objects in one transaction and returns their number.
   * @example
   * models.Visit.destroyMany({ done: true })
   */
  destroyMany(conditions: Conditions<Name, Ms>): AccessResult<P, number>
  /**
   * Deletes all objects and returns their number.
   * @example
   * models.Visit.destroyAll()
   */
  destroyAll(): AccessResult<P, number>
  /**
   * Returns true while the server has not decided a create, update or delete of the object.
   * @example
   * if (models.Visit.hasChanges(visit.id)) showWaiting()
   */
  hasChanges(id: string): AccessResult<P, boolean>
  /**
   * Observes a query: calls back immediately with the result of `find`, and after each transaction of this device (including syncs) that changed it.
   * The returned function stops it; unchanged rows are the same objects.
   * @example
   * const stop = models.Visit.observe({ conditions: { done: false } }, rows => render(rows))
   */
  observe<
    const S extends keyof AttributesOf<Name, Ms> & string = KeyIn<Name, Ms>,
    const W extends With<Name, Ms> = NoRelations,
  >(
    options: FindOptions<Name, Ms, S, W> | undefined,
    callback: (rows: readonly RowWith<Name, Ms, S, W>[]) => void,
  ): () => void
  /**
   * Subscribes to a partition of a model with `by`, also offline: the next sync loads it, and restarts keep the subscription.
   * @example
   * const subscription = models.Task.subscribe({ project: '7' }, { keep: '7d' })
   */
  subscribe(
    parameters: ParametersOf<Name, Ms>,
    options?: SubscribeOptions,
  ): { here: Subscription; remote: RemoteSubscription }[P]
  /**
   * Returns a live query with a snapshot and a subscription, for UI frameworks.
   * @example
   * const query = models.Visit.live({ conditions: { done: false } })
   * const stop = query.subscribe(() => render(query.current()))
   */
  live<
    const S extends keyof AttributesOf<Name, Ms> & string = KeyIn<Name, Ms>,
    const W extends With<Name, Ms> = NoRelations,
  >(options?: FindOptions<Name, Ms, S, W>): LiveQuery<RowWith<Name, Ms, S, W>>
}

/** A typed model whose attributes are not known to the compiler. */
export interface AnyTypedModel {
  readonly name: string
  find(options?: unknown): readonly object[]
  first(options?: unknown): object | undefined
  get(id: string, options?: unknown): object | undefined
  count(options?: unknown): number
  paginate(options: { readonly [name: string]: unknown }): readonly object[]
  create(attributes: unknown): object
  createMany(all: readonly unknown[]): readonly object[]
  update(id: string, changes: unknown): object | undefined
  updateMany(conditions: unknown, changes: unknown): number
  destroy(id: string): boolean
  destroyMany(conditions: unknown): number
  destroyAll(): number
  hasChanges(id: string): boolean
  observe(options: unknown, callback: (rows: readonly object[]) => void): () => void
  live(options?: unknown): LiveQuery<object>
  subscribe(parameters: unknown, options?: SubscribeOptions): Subscription
  /** Returns the handle of a partition without subscribing, for pages whose device is in another thread. */
  subscriptionTo(parameters: unknown): Subscription
}

export function createTypedModel(
  nameMap: NameMap,
  records: Records,
  device: Pick<Device, 'transaction'> & Subscribing,
): AnyTypedModel {
  const whole = toRow(nameMap)
  const find = (query: Query): readonly object[] => records.read(query).map(rowsOf(nameMap, whole, query))
  const matching = (conditions: unknown): Query => ({ ...EVERYTHING, condition: readConditions(nameMap, conditions) })
  const observe: AnyTypedModel['observe'] = (options, callback) => {
    checkCallback(callback)
    const query = readFind(nameMap, options)
    const one = remembering(rowsOf(nameMap, whole, query))
    return records.observe(query, rows => callback(rows.map(one)))
  }
  return {
    name: nameMap.model,
    find: options => find(readFind(nameMap, options)),
    first: options => find({ ...readFind(nameMap, options), limit: 1 })[0],
    get(id, options) {
      const query = readFind(nameMap, options, ['select', 'with'])
      const found = records.get(id)
      if (!found || query === EVERYTHING) return found && whole(found)
      const isIt = { kind: 'compare', attribute: 'object', operator: '=', value: found.object } as const
      return find({ ...query, condition: isIt })[0]
    },
    count: options => records.count(readFind(nameMap, options, ['conditions', 'search'])),
    paginate: options => find(readPage(nameMap, options)),
    create: attributes => whole(records.insert(toAttributes(nameMap, attributes))),
    createMany: all => records.insertMany(all.map(one => toAttributes(nameMap, one))).map(whole),
    update(id, changes) {
      const changed = records.change(id, toAttributes(nameMap, changes))
      return changed && whole(changed)
    },
    updateMany: (conditions, changes) =>
      device.transaction(() => {
        const rows = records.read({ ...matching(conditions), select: [] })
        for (const { object } of rows) records.change(object, toAttributes(nameMap, changes))
        return rows.length
      }),
    destroy: id => records.destroy(id),
    destroyMany: conditions => records.destroyAll(matching(conditions)),
    destroyAll: () => records.destroyAll(EVERYTHING),
    hasChanges: id => records.hasChanges(id),
    observe,
    live: options => liveRows(callback => observe(options, callback)),
    subscribe: (parameters, options) =>
      subscriptionOn(device, nameMap.model, toAttributes(nameMap, parameters) as PartitionParameters, options),
    subscriptionTo: parameters =>
      handleOf(device, nameMap.model, toAttributes(nameMap, parameters) as PartitionParameters),
  }
}

const rowsOf = (nameMap: NameMap, whole: ToRow, query: Query): ToRow =>
  query.select || query.with ? toRow(nameMap, query) : whole

/** Returns a conversion that caches its result by row. */
function remembering(make: ToRow): ToRow {
  const made = new WeakMap<RecordRow, object>()
  return row => {
    const known = made.get(row) ?? make(row)
    made.set(row, known)
    return known
  }
}
