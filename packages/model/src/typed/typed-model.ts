import type { Attributes, ObjectId } from '@godwit/protocol'
import { hasMembers } from '../definition/plain-json.js'
import type { Device } from '../device.js'
import type { Query } from '../query/query.js'
import { readFind, readPaginate } from '../query/read-options.js'
import type { Records, Row } from '../records/records.js'
import type { AttributeSpecs, ChangeOf, ConditionsOf, CreateOf, FindOptions, RowOf } from './infer.js'

/** One model with types. Rows are plain frozen data; every call is synchronous. */
export interface TypedModel<Specs extends AttributeSpecs> {
  readonly name: string
  find(options?: FindOptions<Specs>): readonly RowOf<Specs>[]
  first(options?: FindOptions<Specs>): RowOf<Specs> | undefined
  get(object: ObjectId): RowOf<Specs> | undefined
  count(options?: { readonly conditions?: ConditionsOf<Specs> }): number
  /** Pages count from 0. */
  paginate(options: FindOptions<Specs> & { readonly page: number; readonly perPage?: number }): readonly RowOf<Specs>[]
  create(attributes: CreateOf<Specs>): RowOf<Specs>
  /** In one transaction. */
  createMany(all: readonly CreateOf<Specs>[]): readonly RowOf<Specs>[]
  /** Undefined when there is no such object. */
  update(object: ObjectId, changes: ChangeOf<Specs>): RowOf<Specs> | undefined
  /** In one transaction; how many were changed. */
  updateMany(conditions: ConditionsOf<Specs>, changes: ChangeOf<Specs>): number
  /** False when there was none. */
  destroy(object: ObjectId): boolean
  /** In one transaction; how many went. */
  destroyAll(options?: { readonly conditions?: ConditionsOf<Specs> }): number
  /** Created, updated or deleted, and not decided by the server yet. */
  hasChanges(object: ObjectId): boolean
  /**
   * A live query: calls back at once with what `find` gives, then after each transaction of this device (sync included) that changed it.
   * Rows that stayed the same are the same objects. Call the result to stop.
   */
  observe(options: FindOptions<Specs> | undefined, callback: (rows: readonly RowOf<Specs>[]) => void): () => void
}

export function createTypedModel<Specs extends AttributeSpecs>(
  records: Records,
  device: Pick<Device, 'transaction'>,
): TypedModel<Specs> {
  const row = rowOf<Specs>(records)
  const find = (query: Query): readonly RowOf<Specs>[] => records.read(query).map(rowOf<Specs>(records, query.select))
  return {
    name: records.definition.name,
    find: options => find(readFind(options)),
    first: options => find({ ...readFind(options), limit: 1 })[0],
    get(object) {
      const found = records.get(object)
      return found && row(found)
    },
    count: options => records.count(readFind(options)),
    paginate: ({ perPage, ...options }) => find(readPaginate({ ...options, per_page: perPage })),
    create: attributes => row(records.insert(given(attributes))),
    createMany: all => records.insertMany(all.map(given)).map(row),
    update(object, changes) {
      const changed = records.change(object, given(changes))
      return changed && row(changed)
    },
    updateMany: (conditions, changes) =>
      device.transaction(() => {
        const rows = records.read(readFind({ conditions }))
        for (const { object } of rows) records.change(object, given(changes))
        return rows.length
      }),
    destroy: object => records.destroy(object),
    destroyAll: options => records.destroyAll(readFind(options)),
    hasChanges: object => records.hasChanges(object),
    observe(options, callback) {
      const query = readFind(options)
      const one = remembering(rowOf<Specs>(records, query.select))
      return records.observe(query, rows => callback(rows.map(one)))
    },
  }
}

/** The same row gives the same object. */
function remembering<T extends object>(make: (row: Row) => T): (row: Row) => T {
  const made = new WeakMap<Row, T>()
  return row => {
    const known = made.get(row) ?? make(row)
    made.set(row, known)
    return known
  }
}

/** `undefined` is left out. */
function given(attributes: object): Attributes {
  if (!hasMembers(attributes)) return attributes
  const values = Object.values(attributes)
  return (values.includes(undefined) ? defined(attributes) : attributes) as Attributes
}

const defined = (attributes: object): object =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined))

/** Defaults fill what is missing of what was selected, so that a typed attribute with a default is always there. */
function rowOf<Specs extends AttributeSpecs>(
  { definition }: Records,
  select?: readonly string[],
): (row: Row) => RowOf<Specs> {
  const defaults = [...definition.attributes.values()].filter(
    attribute => attribute.default !== undefined && (select === undefined || select.includes(attribute.name)),
  )
  const filled = Object.fromEntries(defaults.map(attribute => [attribute.name, attribute.default]))
  return ({ object, attributes }) => Object.freeze({ ...filled, ...attributes, object }) as unknown as RowOf<Specs>
}
