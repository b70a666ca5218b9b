/** A condition of a live query in a trace; unknown kinds are shown as JSON. */
interface TracedCondition {
  readonly kind?: string
  readonly attribute?: string
  readonly operator?: string
  readonly value?: unknown
  readonly model?: string
  readonly condition?: TracedCondition
  readonly parts?: readonly TracedCondition[]
  readonly sql?: string
}

interface TracedQuery {
  readonly search?: string
  readonly condition?: TracedCondition
  readonly order?: readonly { readonly attribute?: string; readonly direction?: string }[]
  readonly with?: readonly { readonly as?: string }[]
  readonly limit?: number
  readonly offset?: number
}

/** Describes a live query: SQL as it is, options of a model in a natural order. */
export function queryText(text: string): string {
  const query = parseQuery(text)
  if (query === undefined) return text
  const { search, condition, order = [], with: relations = [], limit, offset } = query
  const parts = [
    search === undefined ? '' : `search “${search}”`,
    condition === undefined ? '' : `where ${conditionText(condition)}`,
    relations.length === 0 ? '' : `with ${relations.map(({ as }) => as).join(', ')}`,
    order.length === 0
      ? ''
      : `by ${order.map(({ attribute, direction }) => `${attribute}${direction === 'DESC' ? ' ↓' : ' ↑'}`).join(', ')}`,
    limit === undefined ? '' : `at most ${limit.toLocaleString('en')}`,
    offset === undefined ? '' : `from the ${offset + 1}th`,
  ]
  return parts.filter(part => part !== '').join(' · ') || 'all rows'
}

function parseQuery(text: string): TracedQuery | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    return JSON.parse(text) as TracedQuery
  } catch {
    return undefined
  }
}

function conditionText(condition: TracedCondition): string {
  const { kind, attribute, operator, value, model, parts = [], sql } = condition
  if (kind === 'compare') return `${attribute === 'object' ? 'id' : attribute} ${operator} ${JSON.stringify(value)}`
  if (kind === 'and' || kind === 'or') return parts.map(part => `(${conditionText(part)})`).join(` ${kind} `)
  if (kind === 'related')
    return `${attribute} is a ${model}${condition.condition ? ` where ${conditionText(condition.condition)}` : ''}`
  if (kind === 'sql') return String(sql)
  return JSON.stringify(condition)
}
