import { SyncError } from '@godwit/protocol'
import { ATTRIBUTE_TYPES } from '../definition/attribute-types.js'
import type { AttributeDefinition } from '../definition/definition.js'
import { valueText } from '../definition/value-text.js'
import { EVERYTHING, type OrderTerm, type Query } from '../query/query-tree.js'
import { DEFAULT_PER_PAGE, wholeNumber } from '../query/read-options.js'
import type { NameMap } from './name-map.js'
import { ID, notAmong, readConditions } from './read-conditions.js'
import { readSelect, readWith } from './read-with.js'

interface RawOptions {
  readonly [name: string]: unknown
}

const OPTION_NAMES = ['conditions', 'search', 'order', 'select', 'with', 'limit', 'offset']

/** Converts the app's options to a query. Undefined options count as omitted. Throws `query_invalid`. */
export function readFind(nameMap: NameMap, given: unknown, known: readonly string[] = OPTION_NAMES): Query {
  if (given === undefined) return EVERYTHING
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalid(nameMap, `expected options, got ${valueText(given)}`)
  const other = Object.keys(given).find(name => !known.includes(name))
  if (other !== undefined) throw invalid(nameMap, `expected one of the options ${known.join(', ')}, got ${other}`)
  const { conditions, search, order, select, with: joins, limit, offset } = given as RawOptions
  const most = wholeNumber('limit', limit, 0)
  const first = wholeNumber('offset', offset, 0)
  return {
    order: order === undefined ? [] : readOrder(nameMap, order),
    ...(conditions !== undefined && { condition: readConditions(nameMap, conditions) }),
    ...(search !== undefined && { search: readSearch(nameMap, search) }),
    ...(select !== undefined && { select: readSelect(nameMap, select) }),
    ...(joins !== undefined && { with: readWith(nameMap, joins) }),
    ...(most !== undefined && { limit: most }),
    ...(first !== undefined && { offset: first }),
  }
}

/** Reads page options; pages count from 0. */
export function readPage(nameMap: NameMap, { page, perPage, ...options }: RawOptions): Query {
  const limit = wholeNumber('perPage', perPage, 1) ?? DEFAULT_PER_PAGE
  const offset = (wholeNumber('page', page, 0) ?? 0) * limit
  const known = OPTION_NAMES.filter(name => name !== 'limit' && name !== 'offset')
  return { ...readFind(nameMap, options, known), limit, offset: Math.min(offset, Number.MAX_SAFE_INTEGER) }
}

function readOrder(nameMap: NameMap, given: unknown): readonly OrderTerm[] {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalid(nameMap, `order: expected a map such as { name: 'asc' }, got ${valueText(given)}`)
  return Object.entries(given)
    .filter(([, direction]) => direction !== undefined)
    .map(([name, direction]) => {
      const attribute = name === 'id' ? ID : nameMap.attributes.get(name)
      if (!attribute || !isOrdered(attribute)) throw notAmong(orderedNames(nameMap), nameMap, 'order', name)
      if (direction === 'asc' || direction === 'desc')
        return { attribute: attribute.name, direction: direction === 'asc' ? 'ASC' : 'DESC' }
      throw invalid(nameMap, `order by ${name}: expected 'asc' or 'desc', got ${valueText(direction)}`)
    })
}

const isOrdered = ({ type }: AttributeDefinition): boolean => ATTRIBUTE_TYPES[type].comparability !== 'none'

const orderedNames = ({ attributes }: NameMap): readonly string[] => [
  'id',
  ...[...attributes].flatMap(([name, attribute]) => (isOrdered(attribute) ? [name] : [])),
]

function readSearch(nameMap: NameMap, given: unknown): string {
  if (nameMap.definition.textSearch === undefined)
    throw invalid(nameMap, 'expected a model that declares textSearch, to search it')
  if (typeof given === 'string') return given
  throw invalid(nameMap, `search: expected text, got ${valueText(given)}`)
}

const invalid = ({ model }: NameMap, problem: string): SyncError =>
  new SyncError('query_invalid', `${model}: ${problem}.`)
