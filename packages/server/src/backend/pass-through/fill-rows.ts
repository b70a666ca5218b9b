import type { SourceError } from '@godwit/protocol'
import type { Changes } from '@godwit/store'
import { takeRows } from '@godwit/store/history'
import type { CallEngine } from '../sources/call-source.js'
import { publicError } from '../sources/public-error.js'
import { type ContentsRequest, fetchContents, type StoredObjectText } from './contents.js'

/** The rows of a page with their contents. */
export interface FilledRows {
  readonly changes: Changes
  /** True if the source did not return all contents: the rows end before the first missing one, and a query was requested. */
  readonly isCut: boolean
}

/** Fills the rows of a page with content from the source, since the store has none. */
export async function fillRows(engine: CallEngine, fetching: ContentsRequest, changes: Changes): Promise<FilledRows> {
  const live = changes.rows.filter((row): row is typeof row & StoredObjectText => row.text !== null)
  if (live.length === 0) return { changes, isCut: false }
  let failure: SourceError | undefined
  const contents = await fetchContents(engine, fetching, live).catch(error => {
    failure = publicError(engine, error, { source: fetching.source.name, logMessage: 'could not fetch contents' })
    return new Map<string, string>()
  })
  const end = changes.rows.findIndex(({ id, text }) => text !== null && !contents.has(id))
  const isCut = end >= 0
  if (isCut) await engine.store.collections.requestQuery(fetching.collection)
  const filled = (isCut ? changes.rows.slice(0, end) : changes.rows).map(row =>
    row.text === null ? row : { ...row, text: contents.get(row.id) ?? row.text },
  )
  // The stored rows, which the store limits, were digests.
  const { rows } = takeRows(filled, filled.length)
  const isPart = rows.length < filled.length
  const head = failure === undefined ? changes.head : { ...changes.head, sourceError: failure }
  return { changes: { ...changes, head, rows, more: isPart || isCut || changes.more }, isCut: isCut && !isPart }
}
