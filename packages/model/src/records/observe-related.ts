import type { ObjectId } from '@godwit/protocol'
import { sameMembers } from '../definition/attribute-values.js'
import type { ObservedQueries } from '../live/observed-queries.js'
import type { Condition, Join, Query } from '../query/query-tree.js'
import type { RecordRow } from './records.js'

interface RelatedQuery {
  readonly rows: () => readonly RecordRow[]
  readonly ask: () => void
}

/** Observes the other models that a query joins or refers to. Each returned function removes one observer. */
export function watchOthers(
  live: ObservedQueries,
  query: Query,
  { rows, ask: refresh }: RelatedQuery,
): readonly (() => void)[] {
  const queried = modelsIn(query.condition)
  const joined = [...new Set(joinsIn(query.with).map(({ model }) => model))].filter(model => !queried.has(model))
  const names = () => false
  return [
    ...[...queried].map(model => live.observe({ model, matches: () => true, names, refresh })),
    ...joined.map(model =>
      live.observe({ model, matches: object => shows(rows(), query.with, model, object), names, refresh }),
    ),
  ]
}

/** Returns true if a query has a relation to a model. */
export const leadsTo = ({ condition, with: joins }: Query, model: string): boolean =>
  modelsIn(condition).has(model) || joinsIn(joins).some(join => join.model === model)

/** Returns true if a relation of the rows contains this object of a model, or is missing an object that this one may be. */
function shows(rows: readonly RecordRow[], joins: readonly Join[] = [], model: string, object: ObjectId): boolean {
  return joins.some(join => {
    const others = rows.map(({ related }) => related?.[join.as])
    const isMeant = join.model === model && others.some(other => other === undefined || other.object === object)
    const found = others.filter(other => other !== undefined)
    return isMeant || shows(found, join.with, model, object)
  })
}

const joinsIn = (joins: readonly Join[] = []): readonly Join[] => joins.flatMap(join => [join, ...joinsIn(join.with)])

function modelsIn(condition: Condition | undefined, found = new Set<string>()): ReadonlySet<string> {
  if (condition?.kind === 'related') modelsIn(condition.condition, found.add(condition.model))
  if (condition?.kind === 'and' || condition?.kind === 'or') for (const part of condition.parts) modelsIn(part, found)
  return found
}

/** Returns true if two rows and their joined rows are equal. */
export function isSameRow(one: RecordRow, other: RecordRow): boolean {
  if (one.object !== other.object || !sameMembers(one.attributes, other.attributes)) return false
  const [joined, others] = [one.related ?? {}, other.related ?? {}]
  return Object.keys(others).every(as => {
    const [before, now] = [joined[as], others[as]]
    return before && now ? isSameRow(before, now) : before === now
  })
}
