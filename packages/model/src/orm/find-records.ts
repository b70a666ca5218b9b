import { SyncError } from '@godwit/protocol'
import { valueText } from '../definition/value-text.js'
import type { Query } from '../query/query-tree.js'
import { readFind as readOptions } from '../query/read-options.js'
import type { RecordRow } from '../records/records.js'
import { withDirections } from './lenient-values.js'
import type { ModelState } from './model-state.js'
import { OrmRecord } from './orm-record.js'

const readFind = (options: unknown): Query => readOptions(withDirections(options))

export const recordOf = (state: ModelState, row: RecordRow): OrmRecord => new OrmRecord(state, row)

export const readRecords = (state: ModelState, query: Query): readonly OrmRecord[] =>
  state
    .ready()
    .read(query)
    .map(row => recordOf(state, row))

/** Returns the record of an id, real or temporary; undefined if there is none. */
export function findById(state: ModelState, object: string): OrmRecord | undefined {
  const row = state.ready().get(object)
  return row && recordOf(state, row)
}

/** Implements `find`. Throws `query_invalid` for invalid conditions or options and lists what is allowed. */
export function findRecords(
  state: ModelState,
  type: unknown = 'all',
  options?: unknown,
): number | OrmRecord | undefined | readonly OrmRecord[] {
  if (typeof type === 'object' && type !== null) return readRecords(state, readFind(type))
  if (type === 'all') return readRecords(state, readFind(options))
  if (type === 'first') return readRecords(state, { ...readFind(options), limit: 1 })[0]
  if (type === 'count') return state.ready().count(readFind(options))
  if (typeof type === 'string' && options === undefined) return findById(state, type)
  throw new SyncError('query_invalid', `find: expected 'all', 'first', 'count' or an id, got ${valueText(type)}.`)
}
