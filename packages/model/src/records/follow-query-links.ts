import type { OpenModel, OpenModels } from '../database/open-models.js'
import type { Definition } from '../definition/definition.js'
import { ownersOf } from '../definition/owners.js'
import { hasLinks, withLinkedIds } from '../outbox/linked-ids.js'
import { linkedFragment } from '../query/linked-fragment.js'
import { type Links, withLinked } from '../query/links.js'
import type { Comparison, Condition, Operator, Query, RelatedCondition } from '../query/query-tree.js'

/** Applies the current links to a query's condition, so that an old id finds its object. */
export function withFollowedLinks(
  models: OpenModels,
  { definition }: Pick<OpenModel, 'definition'>,
  query: Query,
): Query {
  const { condition } = query
  const followed = condition && followLinks(definition, condition, linksOf(models))
  return followed && followed !== condition ? { ...query, condition: followed } : query
}

function linksOf(models: OpenModels): Links {
  const modelsNamed = (names: readonly string[]): readonly OpenModel[] => names.flatMap(name => models.get(name) ?? [])
  return {
    definitionOf: name => models.get(name)?.definition,
    any: names => hasLinks(modelsNamed(names)),
    same: (names, ids) => withLinkedIds(modelsNamed(names), ids),
  }
}

const LIST_OPERATORS: { readonly [operator in Operator]?: 'IN' | 'NOT IN' } = {
  '=': 'IN',
  IN: 'IN',
  '<>': 'NOT IN',
  'NOT IN': 'NOT IN',
}

/** Replaces ids in =, <>, IN and NOT IN of `object` and of belongs-to attributes by all ids of their objects. */
function followLinks(definition: Definition, condition: Condition, links: Links): Condition {
  if (condition.kind === 'compare') return linkedComparison(definition, condition, links)
  if (condition.kind === 'sql') return linkedFragment(definition, condition, links)
  if (condition.kind === 'stored') return condition
  if (condition.kind === 'related') return linkedRelation(condition, links)
  const parts = condition.parts.map(part => followLinks(definition, part, links))
  return parts.every((part, at) => part === condition.parts[at]) ? condition : { ...condition, parts }
}

function linkedRelation(relation: RelatedCondition, links: Links): Condition {
  const [target, condition] = [links.definitionOf(relation.model), relation.condition]
  const followed = target && condition && followLinks(target, condition, links)
  return followed && followed !== condition ? { ...relation, condition: followed } : relation
}

function linkedComparison(definition: Definition, condition: Comparison, links: Links): Comparison {
  const { attribute, value, func } = condition
  const operator = LIST_OPERATORS[condition.operator]
  const owners = ownersOf(definition, attribute)
  if (operator === undefined || func !== undefined || owners.length === 0 || !links.any(owners)) return condition
  const values = withLinked(Array.isArray(value) ? value : [value], ids => links.same(owners, ids))
  return values ? { ...condition, operator, value: values } : condition
}
