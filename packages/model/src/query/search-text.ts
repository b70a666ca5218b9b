import { quote } from '../columns/table-shape.js'
import type { Definition } from '../definition/definition.js'
import type { CompiledQuery } from './compiled-query.js'
import type { Query } from './query-tree.js'

/** Returns the FTS5 table of a model, quoted, with its schema. */
export const textTable = ({ partition, name }: Pick<Definition, 'partition' | 'name'>): string =>
  `${quote(partition)}.${quote(textTableName({ name }))}`

/** Returns the base name of its FTS5 tables; FTS5 appends `data`, `idx` and other suffixes. */
export const textTableName = ({ name }: Pick<Definition, 'name'>): string => `text_${name}_`

/** Maximum number of words in a search: each becomes a phrase of the FTS5 query. */
const MAX_WORDS = 32
/** Minimum number of letters for ranking. */
const RANKED_LETTERS = 3

/** Converts a search to an FTS5 query in which every word is a prefix; undefined if there is nothing to search for. */
function matchOf(search: string): string | undefined {
  const words = search
    .toWellFormed()
    .normalize('NFC')
    .split(/[^\p{L}\p{M}\p{N}\p{Co}]+/u)
    .filter(word => /[\p{L}\p{N}\p{Co}]/u.test(word))
  return words.length === 0
    ? undefined
    : words
        .slice(0, MAX_WORDS)
        .map(word => `"${word}"*`)
        .join(' ')
}

/** Compiles a search for rows that contain all words. Blank text matches everything; text without letters or digits matches nothing. */
export function searchCondition(definition: Definition, search: string): CompiledQuery {
  const match = matchOf(search)
  if (match === undefined) return { sql: search.trim() === '' ? 'TRUE' : 'FALSE', values: [] }
  return { sql: `"seq" IN (SELECT rowid FROM ${textTable(definition)}(?))`, values: [match] }
}

interface RankingSql {
  readonly from: string
  readonly order: readonly string[]
  readonly values: readonly string[]
}

const UNRANKED: RankingSql = { from: '', order: [], values: [] }

/** Returns the SQL that ranks search results, unless the query has an order. */
export function bestFirst(definition: Definition, { search, order }: Query): RankingSql {
  const match = search === undefined || order.length > 0 ? undefined : matchOf(search)
  if (match === undefined || match.replace(/["* ]/g, '').length < RANKED_LETTERS) return UNRANKED
  const ranks = `(SELECT rowid AS text_seq, rank AS text_rank FROM ${textTable(definition)}(?)) AS ranked`
  return { from: ` JOIN ${ranks} ON text_seq = "seq"`, order: ['text_rank'], values: [match] }
}
