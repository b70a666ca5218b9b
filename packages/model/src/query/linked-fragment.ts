import type { AttributeValue } from '@godwit/protocol'
import { quote } from '../columns/table-shape.js'
import type { Definition } from '../definition/definition.js'
import { ownersOf } from '../definition/owners.js'
import { type ComparedIds, parseIdComparison } from './id-comparison.js'
import { type Links, withLinked } from './links.js'
import type { Condition } from './query-tree.js'
import { type Token, tokensOf } from './tokens.js'

type Fragment = Condition & { readonly kind: 'sql' }

/** Rewrites a condition in SQL so that `city = ?`, `'a' <> city`, `city IN (?, ?)` and the like match every id of the objects that they refer to. */
export function linkedFragment(definition: Definition, fragment: Fragment, links: Links): Fragment {
  const owners = ownersNamed(definition, fragment.sql)
  if (owners.length === 0 || !links.any(owners)) return fragment
  const tokens = tokensOf(fragment.sql)
  // Compiling the fragment later rejects a wrong number of values.
  const isWhole = tokens.filter(isPlaceholder).length === fragment.values.length
  return isWhole ? rewritten(definition, tokens, fragment, links) : fragment
}

const isPlaceholder = ({ kind }: Token): boolean => kind === 'placeholder'

/** Returns the owners of the attributes that occur in the text. */
function ownersNamed(definition: Definition, sql: string): readonly string[] {
  const text = sql.toLowerCase()
  const isQuoted = /["`[]/.test(text)
  return ['object', ...definition.belongsTo.keys()]
    .filter(attribute => isQuoted || text.includes(attribute.toLowerCase()))
    .flatMap(attribute => ownersOf(definition, attribute))
}

function rewritten(definition: Definition, tokens: readonly Token[], fragment: Fragment, links: Links): Fragment {
  const [parts, values, left]: [string[], AttributeValue[], AttributeValue[]] = [[], [], [...fragment.values]]
  for (let at = 0; at < tokens.length; ) {
    const compared = parseIdComparison(definition, tokens, at)
    const step = tokens.slice(at, at + (compared?.length ?? 1))
    const bound = left.splice(0, step.filter(isPlaceholder).length)
    const all = compared && linkedValues(definition, compared, bound, links)
    parts.push(all ? `${quote(compared.attribute)} ${compared.operator} (?)` : step.map(sqlOf).join(' '))
    values.push(...(all ? [all] : bound))
    at += step.length
  }
  return { ...fragment, sql: parts.join(' '), values }
}

/** Returns the compared ids with their linked ids; undefined if none is linked. */
function linkedValues(
  definition: Definition,
  { attribute, operands }: ComparedIds,
  bound: readonly AttributeValue[],
  links: Links,
): AttributeValue[] | undefined {
  const left = [...bound]
  const values = operands.flatMap(token => (isPlaceholder(token) ? (left.shift() as AttributeValue) : literalOf(token)))
  return withLinked(values, ids => links.same(ownersOf(definition, attribute), ids))
}

const literalOf = ({ kind, text }: Token): string =>
  kind === 'string' ? text.slice(1, -1).replaceAll("''", "'") : text

const sqlOf = ({ kind, text }: Token): string => (kind === 'quoted' ? quote(text) : text)
