import { SyncError } from '@godwit/protocol'
import { valueText } from '../definition/value-text.js'
import type { Join } from '../query/query-tree.js'
import type { NameMap } from './name-map.js'
import { notAmong } from './read-conditions.js'

/** Reads `with`, by names of relations. Throws `query_invalid`. */
export function readWith(nameMap: NameMap, given: unknown): readonly Join[] {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalid(nameMap, `expected a map of relations, got ${valueText(given)}`)
  return Object.entries(given)
    .filter(([, value]) => value !== undefined)
    .map(([as, value]) => readOne(nameMap, as, value))
}

function readOne(nameMap: NameMap, as: string, value: unknown): Join {
  const relation = nameMap.relations.get(as)
  if (!relation && nameMap.relations.size === 0)
    throw invalid(nameMap, 'expected a model that belongs to others by an `as`')
  if (!relation) throw notAmong([...nameMap.relations.keys()], nameMap, 'with', as)
  const join = { as, ...relation, with: [] }
  if (value === true) return join
  const isOptions = typeof value === 'object' && value !== null && !Array.isArray(value)
  const others = isOptions ? Object.keys(value).filter(name => name !== 'select' && name !== 'with') : []
  if (!isOptions || others.length > 0)
    throw invalid(
      nameMap,
      `${as}: expected true or { select, with }, got ${isOptions ? others.join(', ') : valueText(value)}`,
    )
  const { select, with: inner } = value as { readonly select?: unknown; readonly with?: unknown }
  const other = nameMap.edgeOf(relation.model)
  return {
    ...join,
    ...(select !== undefined && { select: readSelect(other, select) }),
    ...(inner !== undefined && { with: readWith(other, inner) }),
  }
}

/** Reads `select` as names on the server. Throws `query_invalid`. */
export function readSelect(nameMap: NameMap, given: unknown): readonly string[] {
  if (!Array.isArray(given)) throw invalid(nameMap, `select: expected a list of attributes, got ${valueText(given)}`)
  return given.map(name => {
    const attribute = nameMap.attributes.get(String(name))
    if (attribute) return attribute.name
    throw notAmong([...nameMap.attributes.keys()], nameMap, 'select', name)
  })
}

const invalid = ({ model }: NameMap, problem: string): SyncError =>
  new SyncError('query_invalid', `${model}, with: ${problem}.`)
