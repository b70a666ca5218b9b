import { SyncError } from '@godwit/protocol'
import { shown } from '../definition/shown.js'
import { EVERYTHING, type OrderTerm, type Query } from '../query/query.js'
import { PER_PAGE, wholeNumber } from '../query/read-options.js'
import type { Edge } from './edge.js'
import { ID, readConditions, unknown } from './read-conditions.js'
import { readSelect, readWith } from './with.js'

interface Options {
  readonly [name: string]: unknown
}

const KNOWN = ['conditions', 'search', 'order', 'select', 'with', 'limit', 'offset']

/** Options of the app as a query of the engine. An option that is undefined is left out. Throws `query_invalid`. */
export function readFind(edge: Edge, given: unknown, known: readonly string[] = KNOWN): Query {
  if (given === undefined) return EVERYTHING
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalid(edge, `expected options, got ${shown(given)}`)
  const other = Object.keys(given).find(name => !known.includes(name))
  if (other !== undefined) throw invalid(edge, `expected one of the options ${known.join(', ')}, got ${other}`)
  const { conditions, search, order, select, with: joins, limit, offset } = given as Options
  const most = wholeNumber('limit', limit, 0)
  const first = wholeNumber('offset', offset, 0)
  return {
    order: order === undefined ? [] : readOrder(edge, order),
    ...(conditions !== undefined && { condition: readConditions(edge, conditions) }),
    ...(search !== undefined && { search: readSearch(edge, search) }),
    ...(select !== undefined && { select: readSelect(edge, select) }),
    ...(joins !== undefined && { with: readWith(edge, joins) }),
    ...(most !== undefined && { limit: most }),
    ...(first !== undefined && { offset: first }),
  }
}

/** Pages count from 0. */
export function readPage(edge: Edge, { page, perPage, ...options }: Options): Query {
  const limit = wholeNumber('perPage', perPage, 1) ?? PER_PAGE
  const offset = (wholeNumber('page', page, 0) ?? 0) * limit
  const known = KNOWN.filter(name => name !== 'limit' && name !== 'offset')
  return { ...readFind(edge, options, known), limit, offset: Math.min(offset, Number.MAX_SAFE_INTEGER) }
}

function readOrder(edge: Edge, given: unknown): readonly OrderTerm[] {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalid(edge, `order: expected a map such as { name: 'asc' }, got ${shown(given)}`)
  return Object.entries(given)
    .filter(([, direction]) => direction !== undefined)
    .map(([name, direction]) => {
      const attribute = name === 'id' ? ID : edge.attributes.get(name)
      if (!attribute || attribute.type === 'Json' || attribute.type === 'Blob') throw unknown(edge, name)
      if (direction === 'asc' || direction === 'desc')
        return { attribute: attribute.name, direction: direction === 'asc' ? 'ASC' : 'DESC' }
      throw invalid(edge, `order by ${name}: expected 'asc' or 'desc', got ${shown(direction)}`)
    })
}

function readSearch(edge: Edge, given: unknown): string {
  if (edge.definition.textSearch === undefined)
    throw invalid(edge, 'expected a model that declares textSearch, to search it')
  if (typeof given === 'string') return given
  throw invalid(edge, `search: expected text, got ${shown(given)}`)
}

const invalid = ({ model }: Edge, problem: string): SyncError => new SyncError('query_invalid', `${model}: ${problem}.`)
