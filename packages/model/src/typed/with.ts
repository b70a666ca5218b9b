import { SyncError } from '@godwit/protocol'
import { shown } from '../definition/shown.js'
import type { Join } from '../query/query.js'
import type { Edge } from './edge.js'
import { unknown } from './read-conditions.js'

/** The rows that come along, by the names of their relations. Throws `query_invalid`. */
export function readWith(edge: Edge, given: unknown): readonly Join[] {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw invalid(edge, `expected a map of relations, got ${shown(given)}`)
  return Object.entries(given)
    .filter(([, value]) => value !== undefined)
    .map(([as, value]) => readOne(edge, as, value))
}

function readOne(edge: Edge, as: string, value: unknown): Join {
  const relation = edge.relations.get(as)
  if (!relation)
    throw invalid(edge, `expected one of ${[...edge.relations.keys()].join(', ')}, got ${JSON.stringify(as)}`)
  const join = { as, ...relation, with: [] }
  if (value === true) return join
  const isOptions = typeof value === 'object' && value !== null && !Array.isArray(value)
  const others = isOptions ? Object.keys(value).filter(name => name !== 'select' && name !== 'with') : []
  if (!isOptions || others.length > 0)
    throw invalid(edge, `${as}: expected true or { select, with }, got ${isOptions ? others.join(', ') : shown(value)}`)
  const { select, with: inner } = value as { readonly select?: unknown; readonly with?: unknown }
  const other = edge.edgeOf(relation.model)
  return {
    ...join,
    ...(select !== undefined && { select: readSelect(other, select) }),
    ...(inner !== undefined && { with: readWith(other, inner) }),
  }
}

/** Names of attributes as the server has them. Throws `query_invalid`. */
export function readSelect(edge: Edge, given: unknown): readonly string[] {
  if (!Array.isArray(given)) throw invalid(edge, `select: expected a list of attributes, got ${shown(given)}`)
  return given.map(name => {
    const attribute = edge.attributes.get(String(name))
    if (attribute) return attribute.name
    throw unknown(edge, String(name))
  })
}

const invalid = ({ model }: Edge, problem: string): SyncError =>
  new SyncError('query_invalid', `${model}, with: ${problem}.`)
