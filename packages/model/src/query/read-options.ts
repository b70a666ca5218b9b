import { SyncError } from '@godwit/protocol'
import { readConditions } from './conditions.js'
import { EVERYTHING, type OrderTerm, type Query } from './query.js'

type Options = { readonly [name: string]: unknown }

const KNOWN = ['conditions', 'op', 'order', 'orderdir', 'select', 'offset', 'per_page', 'limit'] as const

/** The options of `find` as a query. An object with none of the known keys is the conditions; a known key beside an unknown one is `query_invalid`. */
export function readFind(options: unknown): Query {
  if (options === undefined || options === null) return EVERYTHING
  if (typeof options !== 'object' || Array.isArray(options)) return withCondition(readConditions(options), {})
  const given = options as Options
  const names = Object.keys(given)
  if (!names.some(isKnown)) return withCondition(readConditions(given), {})
  const unknown = names.filter(name => !isKnown(name))
  if (unknown.length > 0) {
    throw new SyncError(
      'query_invalid',
      `A query has no option ${unknown.join(', ')}; it may have ${KNOWN.join(', ')}.`,
    )
  }
  return readOptions(given)
}

/** The parameters of `paginate`: pages count from 0, 10 records a page unless `per_page` says otherwise. */
export function readPaginate(params: unknown): Query {
  const { page, per_page, ...rest } = (params ?? {}) as Options
  const size = count('per_page', per_page) ?? 10
  const options = Object.keys(rest).length === 0 ? EVERYTHING : readFind(rest)
  return { ...options, limit: size, offset: (count('page', page) ?? 0) * size }
}

function readOptions(options: Options): Query {
  const limit = count('limit', options['limit'] ?? options['per_page'])
  const offset = count('offset', options['offset'])
  const select =
    options['select'] === undefined || options['select'] === null ? undefined : nameList('select', options['select'])
  return withCondition(readConditions(options['conditions'], options['op']), {
    order: readOrder(options['order'], options['orderdir']),
    ...(select !== undefined && { select }),
    ...(limit !== undefined && { limit }),
    ...(offset !== undefined && { offset }),
  })
}

const withCondition = (condition: Query['condition'], rest: Partial<Query>): Query => ({
  ...EVERYTHING,
  ...rest,
  ...(condition !== undefined && { condition }),
})

/** `'name'`, `'name, population'`, `['name']`, or `{ name: 'DESC' }`; directions beside it, missing ones are ASC. */
function readOrder(order: unknown, orderdir: unknown): readonly OrderTerm[] {
  if (order === undefined || order === null) return []
  if (typeof order === 'object' && !Array.isArray(order)) {
    return Object.entries(order).map(([attribute, given]) => ({ attribute, direction: direction(given) }))
  }
  const directions = orderdir === undefined || orderdir === null ? [] : nameList('orderdir', orderdir)
  return nameList('order', order).map((attribute, index) => ({ attribute, direction: direction(directions[index]) }))
}

function direction(given: unknown): OrderTerm['direction'] {
  const text = String(given ?? 'ASC').toUpperCase()
  if (text === 'ASC' || text === 'DESC') return text
  throw new SyncError('query_invalid', `A direction is ASC or DESC; ${String(given)} came.`)
}

function nameList(option: string, given: unknown): readonly string[] {
  const list = typeof given === 'string' ? given.split(',').map(name => name.trim()) : given
  if (Array.isArray(list) && list.every(name => typeof name === 'string' && name !== '')) return list
  throw new SyncError(
    'query_invalid',
    `${option} is a list of names or text with commas; ${JSON.stringify(given)} came.`,
  )
}

/** A whole number from 0, as a number or as text. */
function count(option: string, given: unknown): number | undefined {
  if (given === undefined || given === null) return undefined
  const value = typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number
  throw new SyncError('query_invalid', `${option} is a whole number from 0; ${JSON.stringify(given)} came.`)
}

const isKnown = (name: string): boolean => (KNOWN as readonly string[]).includes(name)
