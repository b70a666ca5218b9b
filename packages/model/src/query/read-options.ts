import { SyncError } from '@godwit/protocol'
import { valueText } from '../definition/value-text.js'
import { readConditions } from './conditions.js'
import { EVERYTHING, type OrderTerm, type Query } from './query-tree.js'
import { readName } from './read-name.js'

type RawOptions = { readonly [name: string]: unknown }

const OPTION_NAMES = ['conditions', 'op', 'order', 'orderdir', 'select', 'offset', 'per_page', 'limit'] as const
const KNOWN_TO_PAGINATE = [...OPTION_NAMES, 'page'] as const

/** Default number of records per page. */
export const DEFAULT_PER_PAGE = 10

/**
 * Reads the options of `find`. An object without known option names is a map of conditions; mixing known and unknown names throws `query_invalid`.
 */
export const readFind = (options: unknown): Query => readOptions(options, OPTION_NAMES)

/** Reads the parameters of `paginate`: pages count from 0. */
export function readPaginate(params: unknown): Query {
  const query = readOptions(params, KNOWN_TO_PAGINATE)
  const limit = query.limit ?? DEFAULT_PER_PAGE
  const offset = (wholeNumber('page', pageOf(params), 0) ?? 0) * limit + (query.offset ?? 0)
  // SQLite does not read larger numbers as integers, and no table is that large.
  return { ...query, limit, offset: Math.min(offset, Number.MAX_SAFE_INTEGER) }
}

const pageOf = (params: unknown): unknown =>
  typeof params === 'object' && params !== null ? (params as RawOptions)['page'] : undefined

function readOptions(given: unknown, known: readonly string[]): Query {
  if (given === undefined || given === null) return EVERYTHING
  const isObject = typeof given === 'object' && !Array.isArray(given)
  const options = isObject && Object.keys(given).some(name => known.includes(name)) ? given : { conditions: given }
  const unknown = Object.keys(options).filter(name => !known.includes(name))
  if (unknown.length > 0)
    throw invalid(`A query has no option ${unknown.join(', ')}; it may have ${known.join(', ')}.`, { unknown, known })
  return queryOf(options as RawOptions)
}

function queryOf({ conditions, op, order, orderdir, select, offset, limit, per_page }: RawOptions): Query {
  const condition = readConditions(conditions, op ?? 'AND')
  const first = wholeNumber('offset', offset, 0)
  const most = wholeNumber('limit', limit, 0) ?? wholeNumber('per_page', per_page, 1)
  return {
    order: readOrder(order, orderdir),
    ...(condition !== undefined && { condition }),
    ...(select !== undefined && select !== null && { select: readNames('select', select) }),
    ...(most !== undefined && { limit: most }),
    ...(first !== undefined && { offset: first }),
  }
}

/** Reads `'name'`, `'name, population'`, `['name']` or `{ name: 'DESC' }`. Directions of the other forms are in `orderdir`, by default ASC. */
function readOrder(order: unknown, orderdir: unknown): readonly OrderTerm[] {
  const directions = orderdir === undefined || orderdir === null ? [] : listOf('orderdir', orderdir).map(readDirection)
  if (order === undefined || order === null) return []
  if (typeof order === 'object' && !Array.isArray(order)) {
    return Object.entries(order).map(([attribute, direction]) => ({
      attribute: readName('order', attribute),
      direction: readDirection(direction ?? 'ASC'),
    }))
  }
  const names = readNames('order', order)
  if (directions.length > names.length)
    throw invalid(`orderdir has ${directions.length} directions for ${names.length} attributes of order.`)
  return names.map((attribute, at) => ({ attribute, direction: directions[at] ?? 'ASC' }))
}

function readDirection(given: unknown): OrderTerm['direction'] {
  const text = String(given).trim().toUpperCase()
  if (text === 'ASC' || text === 'DESC') return text
  throw invalid(`expected a direction, ASC or DESC, got ${String(given)}.`)
}

const readNames = (option: string, given: unknown): readonly string[] =>
  listOf(option, given).map(name => readName(option, name))

/** Reads a list, or text with commas. */
function listOf(option: string, given: unknown): readonly unknown[] {
  if (Array.isArray(given)) return given
  if (typeof given === 'string') return given.split(',').map(part => part.trim())
  throw invalid(`${option}: expected a list, or text with commas, got ${typeof given}.`)
}

/** Reads a whole number, given as a number or as text. */
export function wholeNumber(option: string, given: unknown, least: number): number | undefined {
  if (given === undefined || given === null) return undefined
  const value = typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given
  if (Number.isSafeInteger(value) && (value as number) >= least) return value as number
  throw invalid(`${option}: expected a whole number from ${least}, got ${valueText(given)}.`)
}

const invalid = (message: string, details: { readonly [name: string]: unknown } = {}): SyncError =>
  new SyncError('query_invalid', message, { details })
