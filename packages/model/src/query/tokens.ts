import { SyncError } from '@godwit/protocol'

/** A token of SQL. Words may be keywords, functions or names; quoted words are always names, stored without quotes. */
export interface Token {
  readonly kind: 'word' | 'quoted' | 'string' | 'number' | 'placeholder' | 'symbol'
  readonly text: string
}

const TOKEN =
  /(?<skipped>\s+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|(?<string>'(?:[^']|'')*')|(?<quoted>"(?:[^"]|"")+"|`(?:[^`]|``)+`|\[[^\]]+\])|(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?<word>[\p{L}_][\p{L}\p{N}_$]*)|(?<placeholder>\?(?!\d))|(?<symbol>\|\||<>|<=|>=|==|!=|<<|>>|->>|->|[=<>+\-*/%(),.;&|~])/uy

/** Splits SQL into tokens, without comments. Parentheses must match, so that a fragment stays one unit within a statement. */
export function tokensOf(sql: string): readonly Token[] {
  if (typeof sql !== 'string') throw invalidSql(sql, 'expected text')
  const tokens: Token[] = []
  const pattern = new RegExp(TOKEN)
  while (pattern.lastIndex < sql.length) {
    const at = pattern.lastIndex
    const groups = pattern.exec(sql)?.groups
    if (groups === undefined) throw invalidSql(sql, `${JSON.stringify(sql.slice(at, at + 12))} is not allowed in it`)
    const found = KINDS.find(kind => groups[kind] !== undefined)
    if (found)
      tokens.push({ kind: found, text: found === 'quoted' ? unquote(groups[found] ?? '') : (groups[found] ?? '') })
  }
  checkParentheses(sql, tokens)
  return tokens
}

const KINDS = ['string', 'quoted', 'number', 'word', 'placeholder', 'symbol'] as const

function unquote(text: string): string {
  const [quote, inner] = [text[0] as string, text.slice(1, -1)]
  return quote === '[' ? inner : inner.replaceAll(quote + quote, quote)
}

function checkParentheses(sql: string, tokens: readonly Token[]): void {
  let depth = 0
  for (const token of tokens) {
    if (is(token, '(')) depth++
    if (is(token, ')') && --depth < 0) break
  }
  if (depth !== 0) throw invalidSql(sql, 'its parentheses do not match')
}

/** Returns true if a token is one of these symbols, or of these keywords in any case. */
export const is = (token: Token | undefined, ...texts: readonly string[]): boolean =>
  token !== undefined && (token.kind === 'symbol' || token.kind === 'word') && texts.includes(token.text.toUpperCase())

/** Words that are keywords only after another word: types, collations, the position of NULL. Elsewhere they are names, as in SQLite. */
const PLACED: ReadonlyMap<string, string> = new Map([
  ...['TEXT', 'REAL', 'INTEGER', 'NUMERIC'].map(type => [type, 'AS'] as const),
  ...['BINARY', 'NOCASE', 'RTRIM'].map(collation => [collation, 'COLLATE'] as const),
  ...['FIRST', 'LAST'].map(end => [end, 'NULLS'] as const),
])

/** True for a word that is a keyword only because of the word before it. */
export function isPlaced(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at]
  const before = token?.kind === 'word' ? PLACED.get(token.text.toUpperCase()) : undefined
  return before !== undefined && is(tokens[at - 1], before)
}

/** Returns the error for invalid SQL. */
export const invalidSql = (sql: string, problem: string, cause?: unknown): SyncError =>
  new SyncError('query_invalid', `The SQL ${JSON.stringify(sql)} cannot be used: ${problem}.`, {
    details: { sql },
    ...(cause !== undefined && { cause }),
  })

/** Functions without side effects that SQL over models may call. */
export const SCALAR_FUNCTIONS: ReadonlySet<string> = new Set(
  'ABS CAST CEIL COALESCE DATE DATETIME FLOOR FORMAT GLOB HEX IFNULL IIF INSTR JSON_ARRAY_LENGTH JSON_EXTRACT JSON_TYPE JULIANDAY LENGTH LIKE LOWER LTRIM MAX MIN NULLIF PRINTF REPLACE ROUND RTRIM SIGN STRFTIME SUBSTR SUBSTRING TIME TRIM TYPEOF UNICODE UNIXEPOCH UPPER'.split(
    ' ',
  ),
)
