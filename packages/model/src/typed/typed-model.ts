import type { Device } from '../device.js'
import { EVERYTHING, type Query } from '../query/query.js'
import type { RecordRow, Records } from '../records/records.js'
import type { BlobLike } from './attribute.js'
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
import type { AttributesOf, FullRow, KeyIn, ResetOf, WrittenOf } from './infer.js'
import { type LiveQuery, liveRows } from './live-rows.js'
import { type NameMap, toAttributes } from './name-map.js'
import { readConditions } from './read-conditions.js'
import { readFind, readPage } from './read-find.js'
import { type ToRow, toRow } from './to-row.js'

/** `here`: answers at once. `remote`: the same as promises. */
export type Access = 'here' | 'remote'
/** What a method returns: `T` in the device's own thread, a promise of it from another. */
export type AccessResult<P extends Access, T> = { here: T; remote: Promise<T> }[P]
/** What a page gives for a file beside what is taken here. */
type FileOf<P extends Access> = { here: never; remote: BlobLike }[P]

/** What `create` takes, by the model's name: errors show it so. What is required stands by itself, as they print that part whole. */
export type CreateAttributes<Name, Ms, P extends Access = 'here'> = {
  readonly [K in keyof AttributesOf<Name, Ms> as AttributesOf<Name, Ms>[K] extends { readonly presence: 'required' }
    ? K
    : never]: WrittenOf<AttributesOf<Name, Ms>[K], FileOf<P>>
} & {
  readonly [K in keyof AttributesOf<Name, Ms> as AttributesOf<Name, Ms>[K] extends { readonly presence: 'required' }
    ? never
    : K]?: WrittenOf<AttributesOf<Name, Ms>[K], FileOf<P>> | undefined
}
/** What `update` takes, by the model's name: what is left out or undefined stays, `null` removes. */
export type UpdateAttributes<Name, Ms, P extends Access = 'here'> = {
  readonly [K in keyof AttributesOf<Name, Ms>]?:
    | WrittenOf<AttributesOf<Name, Ms>[K], FileOf<P>>
    | ResetOf<AttributesOf<Name, Ms>[K]>
    | undefined
}

/** One model of an open device. Rows are plain frozen data. */
export interface TypedModel<Name, Ms, P extends Access = 'here'> {
  readonly name: Name
  /** Rows of this device, in the order of their creation unless `order` says another. */
  find<
    const S extends keyof AttributesOf<Name, Ms> & string = KeyIn<Name, Ms>,
    const W extends With<Name, Ms> = NoRelations,
  >(options?: FindOptions<Name, Ms, S, W>): AccessResult<P, readonly RowWith<Name, Ms, S, W>[]>
  /** The first row that `find` gives. */
  first<
    const S extends keyof AttributesOf<Name, Ms> & string = KeyIn<Name, Ms>,
    const W extends With<Name, Ms> = NoRelations,
  >(options?: FindOptions<Name, Ms, S, W>): AccessResult<P, RowWith<Name, Ms, S, W> | undefined>
  /** The row of an id; undefined when it is not on this device. A temporary id finds the object that it became. */
  get<
    const S extends keyof AttributesOf<Name, Ms> & string = KeyIn<Name, Ms>,
    const W extends With<Name, Ms> = NoRelations,
  >(id: string, options?: RowOptions<Name, Ms, S, W>): AccessResult<P, RowWith<Name, Ms, S, W> | undefined>
  /** How many rows `find` gives. */
  count(options?: CountOptions<Name, Ms>): AccessResult<P, number>
  /** Pages count from 0. */
  paginate<
    const S extends keyof AttributesOf<Name, Ms> & string = KeyIn<Name, Ms>,
    const W extends With<Name, Ms> = NoRelations,
  >(options: PageOptions<Name, Ms, S, W>): AccessResult<P, readonly RowWith<Name, Ms, S, W>[]>
  /** Stores a new object, which is sent by itself. Throws `attribute_invalid`, `record_invalid` or `not_unique`, and stores nothing then. */
  create(attributes: CreateAttributes<Name, Ms, P>): AccessResult<P, FullRow<Name, Ms>>
  /** In one transaction. */
  createMany(all: readonly CreateAttributes<Name, Ms, P>[]): AccessResult<P, readonly FullRow<Name, Ms>[]>
  /** Stores what differs; `null` removes. Undefined when there is no such object. */
  update(id: string, changes: UpdateAttributes<Name, Ms, P>): AccessResult<P, FullRow<Name, Ms> | undefined>
  /** In one transaction; how many were changed. */
  updateMany(conditions: Conditions<Name, Ms>, changes: UpdateAttributes<Name, Ms, P>): AccessResult<P, number>
  /** False when there was none. */
  destroy(id: string): AccessResult<P, boolean>
  /** In one transaction; how many went. */
  destroyMany(conditions: Conditions<Name, Ms>): AccessResult<P, number>
  /** Empties the model; how many went. */
  destroyAll(): AccessResult<P, number>
  /** Created, updated or deleted, and not decided by the server yet. */
  hasChanges(id: string): AccessResult<P, boolean>
  /**
   * A live query: calls back at once with what `find` gives, then after each transaction of this device (sync included) that changed it; call the result to
   * stop. Rows that stayed the same are the same objects.
   */
  observe<
    const S extends keyof AttributesOf<Name, Ms> & string = KeyIn<Name, Ms>,
    const W extends With<Name, Ms> = NoRelations,
  >(
    options: FindOptions<Name, Ms, S, W> | undefined,
    callback: (rows: readonly RowWith<Name, Ms, S, W>[]) => void,
  ): () => void
  /** A snapshot and a subscription, for frameworks. */
  live<
    const S extends keyof AttributesOf<Name, Ms> & string = KeyIn<Name, Ms>,
    const W extends With<Name, Ms> = NoRelations,
  >(options?: FindOptions<Name, Ms, S, W>): LiveQuery<RowWith<Name, Ms, S, W>>
}

/** What every typed model is behind its types. */
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
}

export function createTypedModel(
  nameMap: NameMap,
  records: Records,
  device: Pick<Device, 'transaction'>,
): AnyTypedModel {
  const whole = toRow(nameMap)
  const find = (query: Query): readonly object[] => records.read(query).map(rowsOf(nameMap, whole, query))
  const matching = (conditions: unknown): Query => ({ ...EVERYTHING, condition: readConditions(nameMap, conditions) })
  const observe: AnyTypedModel['observe'] = (options, callback) => {
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
  }
}

const rowsOf = (nameMap: NameMap, whole: ToRow, query: Query): ToRow =>
  query.select || query.with ? toRow(nameMap, query) : whole

/** The same row gives the same object. */
function remembering(make: ToRow): ToRow {
  const made = new WeakMap<RecordRow, object>()
  return row => {
    const known = made.get(row) ?? make(row)
    made.set(row, known)
    return known
  }
}
