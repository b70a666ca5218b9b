import type { OpenModel, OpenModels } from '../database/models.js'
import { hasLinks, sameIds } from '../outbox/linked-ids.js'
import { followLinks } from '../query/follow-links.js'
import type { Links } from '../query/links.js'
import type { Query } from '../query/query.js'

/** A query with the links of now in its condition: an id that the app holds on to finds what a server gave another id. */
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
  const defined = (names: readonly string[]): readonly OpenModel[] => names.flatMap(name => models.get(name) ?? [])
  return {
    definitionOf: name => models.get(name)?.definition,
    any: names => hasLinks(defined(names)),
    same: (names, ids) => sameIds(defined(names), ids),
  }
}
