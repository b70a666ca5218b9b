import type { ChangeRow, Changes, CollectionId, ReadFrom } from '@godwit/store'
import type { Connection } from '../connection.js'
import type { Reply } from '../redis-handle.js'
import { changesScript } from '../scripts/changes.js'
import { fieldsOf, headOf } from './head.js'

type Page = readonly [head: Reply, known: number, rows: readonly (string | number | null)[], more: number]

export async function changes(
  connection: Connection,
  collection: CollectionId,
  { from, limit }: { readonly from?: ReadFrom | undefined; readonly limit: number },
): Promise<Changes | undefined> {
  const place = from
    ? [from.epoch, from.head, from.mark, from.base, from.start, from.after.version, from.after.id.toWellFormed()]
    : ['', '', '', '', '', '', '']
  const page = (await connection.run(changesScript, connection.keys.of(collection), [limit, ...place])) as Page | null
  const head = page && headOf(fieldsOf(page[0]))
  return page && head ? { head, fromZero: page[1] === 0, rows: rowsOf(page[2]), more: page[3] === 1 } : undefined
}

/** Id, version and text in turn. */
export function rowsOf(flat: readonly (string | number | null)[]): readonly ChangeRow[] {
  const rows: ChangeRow[] = []
  for (let at = 0; at < flat.length; at += 3)
    rows.push({ id: `${flat[at]}`, version: Number(flat[at + 1]), text: flat[at + 2] as string | null })
  return rows
}
