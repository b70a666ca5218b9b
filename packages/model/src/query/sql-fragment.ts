import { type AttributeValue, SyncError } from '@godwit/protocol'

/** One token of SQL. A `name` is an attribute unless a parenthesis follows; `word` is an allowed keyword. */
interface Token {
  readonly kind: 'name' | 'word' | 'function' | 'placeholder' | 'other'
  readonly text: string
}

const TOKEN =
  /(?<space>\s+)|(?<string>'(?:[^']|'')*')|(?<quoted>"(?:[^"]|"")+"|`(?:[^`]|``)+`|\[[^\]]+\])|(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?<name>[\p{L}_][\p{L}\p{N}_$]*)|(?<placeholder>\?)|(?<other>\|\||<>|<=|>=|==|!=|<<|>>|[=<>+\-*/%(),&|~])/uy

const WORDS = new Set(
  'AND OR NOT NULL IS IN LIKE GLOB BETWEEN CASE WHEN THEN ELSE END ESCAPE ISNULL NOTNULL COLLATE NOCASE BINARY RTRIM DISTINCT FROM TRUE FALSE CAST AS INTEGER REAL TEXT NUMERIC'.split(
    ' ',
  ),
)

const FUNCTIONS = new Set(
  'abs cast coalesce date datetime format glob hex ifnull iif in instr julianday length like lower ltrim max min nullif printf replace round rtrim sign strftime substr substring time trim typeof unicode unixepoch upper'.split(
    ' ',
  ),
)

/** A fragment ready for SQL: attributes are replaced by their expressions, lists are spread, everything else is as it was. */
export interface Fragment {
  readonly sql: string
  readonly values: readonly AttributeValue[]
}

/**
 * Reads a condition written in SQL. Names are attributes, values are bound to `?`, a list value fills an `IN (?)`.
 * Throws `query_invalid` for whatever is not a plain expression: other statements, subselects, comments, unknown functions.
 */
export function readFragment(
  sql: string,
  values: readonly AttributeValue[],
  term: (attribute: string) => string,
): Fragment {
  const parts: string[] = []
  const bound: AttributeValue[] = []
  let next = 0
  for (const { kind, text } of tokens(sql)) {
    if (kind === 'name') parts.push(`(${term(text)})`)
    else if (kind === 'placeholder') {
      if (next >= values.length) throw invalid(sql, `it has more ? than the ${values.length} values that came`)
      const value = values[next++] ?? null
      const list = Array.isArray(value) ? (value as readonly AttributeValue[]) : [value]
      parts.push(list.length === 0 ? 'NULL' : list.map(() => '?').join(', '))
      bound.push(...list)
    } else parts.push(text)
  }
  if (next < values.length) throw invalid(sql, `it has ${next} ? for ${values.length} values`)
  return { sql: parts.join(' '), values: bound }
}

function* tokens(sql: string): Generator<Token> {
  TOKEN.lastIndex = 0
  for (let at = 0; at < sql.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at
    const groups = TOKEN.exec(sql)?.groups
    if (groups === undefined) throw invalid(sql, `"${sql.slice(at, at + 12)}" is not allowed in it`)
    const end = TOKEN.lastIndex
    if (groups['space'] !== undefined) continue
    if (groups['name'] !== undefined) yield word(sql, groups['name'], end)
    else if (groups['quoted'] !== undefined) yield { kind: 'name', text: unquoted(groups['quoted']) }
    else if (groups['placeholder'] !== undefined) yield { kind: 'placeholder', text: '?' }
    else yield { kind: 'other', text: sql.slice(at, end) }
    TOKEN.lastIndex = end
  }
}

function word(sql: string, name: string, end: number): Token {
  const isKeyword = WORDS.has(name.toUpperCase())
  const called = /^\s*\(/.test(sql.slice(end, end + 16))
  if (called && FUNCTIONS.has(name.toLowerCase())) return { kind: 'function', text: name }
  if (isKeyword) return { kind: 'word', text: name }
  if (!called) return { kind: 'name', text: name }
  throw invalid(sql, `the function ${name} is not one of ${[...FUNCTIONS].join(', ')}`)
}

const unquoted = (text: string): string => {
  const quote = text[0] as string
  const inner = text.slice(1, -1)
  return quote === '[' ? inner : inner.replaceAll(quote + quote, quote)
}

/** Every word of any SQL that could name an attribute: what a view over a bag has to show. */
export const namesIn = (sql: string): ReadonlySet<string> => {
  const plain = sql.replace(/'(?:[^']|'')*'/g, ' ')
  const quoted = [...plain.matchAll(/"((?:[^"]|"")+)"/g)].map(([, name]) => (name as string).replaceAll('""', '"'))
  const bare = plain.replace(/"(?:[^"]|"")+"/g, ' ').match(/[\p{L}_][\p{L}\p{N}_$]*/gu) ?? []
  return new Set([...quoted, ...bare.filter(name => !SELECT_WORDS.has(name.toUpperCase()))])
}

const SELECT_WORDS = new Set([
  ...WORDS,
  ...'SELECT WHERE ORDER BY ASC DESC LIMIT OFFSET GROUP HAVING JOIN LEFT INNER OUTER CROSS ON USING UNION ALL EXCEPT INTERSECT WITH VALUES OBJECT'.split(
    ' ',
  ),
])

const invalid = (sql: string, problem: string): SyncError =>
  new SyncError(
    'query_invalid',
    `The SQL condition ${JSON.stringify(sql)} cannot be used: ${problem}. It is an expression over attributes with ? for values.`,
  )
