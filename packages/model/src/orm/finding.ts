import { type ObjectId, SyncError } from '@godwit/protocol'
import { shown } from '../definition/shown.js'
import { EVERYTHING, type Query } from '../query/query.js'
import { readFind as readOptions, readPaginate } from '../query/read-options.js'
import type { Row } from '../records/records.js'
import { withDirections } from './lenient.js'
import { OrmRecord } from './orm-record.js'
import { Properties } from './properties.js'

type Bound = string | number | boolean | null

const readFind = (options: unknown): Query => readOptions(withDirections(options))

/** The methods that find objects. What cannot be read in conditions or options throws `query_invalid`, saying what is allowed. */
export abstract class Finding extends Properties {
  /** A number: how many match. */
  find(queryType: 'count', queryOptions?: unknown): number
  /** The first that matches, or undefined. */
  find(queryType: 'first', queryOptions?: unknown): OrmRecord | undefined
  /** All that match. Options: conditions, op, order, orderdir, select, offset, per_page, limit. */
  find(queryType?: 'all', queryOptions?: unknown): readonly OrmRecord[]
  find(queryOptions: object): readonly OrmRecord[]
  /** The object of an id, or undefined. */
  find(object: ObjectId): OrmRecord | undefined
  find(type: unknown = 'all', options?: unknown): number | OrmRecord | undefined | readonly OrmRecord[] {
    if (typeof type === 'object' && type !== null) return this.read(readFind(type))
    if (type === 'all') return this.read(readFind(options))
    if (type === 'first') return this.read({ ...readFind(options), limit: 1 })[0]
    if (type === 'count') return this.state.ready().count(readFind(options))
    if (typeof type === 'string' && options === undefined) return this.findById(type)
    throw new SyncError('query_invalid', `find: expected 'all', 'first', 'count' or an id, got ${shown(type)}.`)
  }

  /** Also finds objects whose id is `all`, `first` or `count`. */
  findById(object: ObjectId): OrmRecord | undefined {
    const row = this.state.ready().get(object)
    return row && this.record(row)
  }

  /** A SELECT over models by name; the objects whose ids are in its column `object`, in its order. It reads only. */
  find_by_sql(sqlQuery: string, ...values: readonly Bound[]): readonly OrmRecord[] {
    const rows = this.state.ready().readSql(sqlQuery, values)
    return rows.map(row => this.record(row))
  }

  /** Options as of find, and `page`, from 0; 10 records a page unless `per_page` says otherwise. */
  paginate(params?: unknown): readonly OrmRecord[] {
    return this.read(readPaginate(withDirections(params)))
  }

  getCount(): number {
    return this.state.ready().count(EVERYTHING)
  }

  protected read(query: Query): readonly OrmRecord[] {
    const rows = this.state.ready().read(query)
    return rows.map(row => this.record(row))
  }

  protected record(row: Row): OrmRecord {
    return new OrmRecord(this.state, row)
  }
}
