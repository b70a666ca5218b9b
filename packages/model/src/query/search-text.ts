import { quote } from '../database/table-shape.js'
import type { Definition } from '../definition/definition.js'
import type { CompiledQuery } from './compiled-query.js'
import type { Query } from './query.js'

/** The FTS5 table of a model, beside its own. */
export const textTable = ({ partition, name }: Pick<Definition, 'partition' | 'name'>): string =>
  `${quote(partition)}.${quote(textTableName({ name }))}`

/** Its own tables are called so and `data`, `idx` and the like behind it. */
export const textTableName = ({ name }: Pick<Definition, 'name'>): string => `text_${name}_`

/** How many words of a search count at most: each becomes a phrase of the FTS5 query. */
const MAX_WORDS = 32
/** Letters from which it is worth while to look for the best. */
const RANKED_LETTERS = 3

/** What users type as a query of FTS5: every word as the beginning of one. Undefined: there is nothing to look for. */
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

/** The rows whose texts have all the words. Blank text finds everything; text without a letter or digit nothing. */
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

/** Ranks what a search finds, where nothing else orders it. */
export function bestFirst(definition: Definition, { search, order }: Query): RankingSql {
  const match = search === undefined || order.length > 0 ? undefined : matchOf(search)
  if (match === undefined || match.replace(/["* ]/g, '').length < RANKED_LETTERS) return UNRANKED
  const ranks = `(SELECT rowid AS text_seq, rank AS text_rank FROM ${textTable(definition)}(?)) AS ranked`
  return { from: ` JOIN ${ranks} ON text_seq = "seq"`, order: ['text_rank'], values: [match] }
}
