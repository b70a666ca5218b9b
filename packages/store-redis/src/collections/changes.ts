import type { ChangeRow, Changes, CollectionId, Head, ReadPosition } from '@godwit/store'
import type { RedisConnection } from '../connection.js'
import type { RedisReply } from '../redis-handle.js'
import { changesScript } from '../scripts/changes.js'
import { fieldsOf, headOf } from './head.js'

/** The reply of `changesAfter`. */
export type ChangesAnswer = readonly [
  head: RedisReply,
  known: number,
  rows: readonly (string | number | null)[],
  more: number,
]

export async function changes(
  connection: RedisConnection,
  collection: CollectionId,
  { from, limit }: { readonly from?: ReadPosition | undefined; readonly limit: number },
): Promise<Changes | undefined> {
  const answer = await connection.run(changesScript, connection.keys.of(collection), [limit, ...placeOf(from)])
  return answer === null ? undefined : changesIn(answer as ChangesAnswer)
}

/** A reader's position as script arguments, in the order of `PLACE`. */
export const placeOf = (from: ReadPosition | undefined): readonly (string | number)[] =>
  from === undefined
    ? ['', '', '', '', '', '', '']
    : [from.epoch, from.head, from.mark, from.base, from.start, from.after.version, from.after.id.toWellFormed()]

/** Parses the reply of `changesAfter`. */
export const changesIn = ([head, known, rows, more]: ChangesAnswer): Changes => ({
  head: headOf(fieldsOf(head)) as Head,
  fromZero: known === 0,
  rows: rowsOf(rows),
  more: more === 1,
})

/** Parses a flat list of id, version and text for each row. */
export function rowsOf(flat: readonly (string | number | null)[]): readonly ChangeRow[] {
  const rows: ChangeRow[] = []
  for (let at = 0; at < flat.length; at += 3)
    rows.push({ id: `${flat[at]}`, version: Number(flat[at + 1]), text: flat[at + 2] as string | null })
  return rows
}
