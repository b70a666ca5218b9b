import { isSyncError } from '@godwit/protocol'
import type { Sdk } from '../sdk/sdk.js'
import { toWire } from './error-values.js'
import { OVERWRITTEN_TARGET, REFUSALS_TARGET, SQL_TARGET } from './methods.js'
import type { HostMessage, RowsMessage } from './protocol.js'
import { modelOf, plainRows } from './remote-call.js'

interface Rows {
  readonly ids: readonly string[]
  readonly rows: readonly object[]
}

/** Sends the result of a live query to a page: one change of the list of ids, and only rows that changed. */
export function rowsSender(live: number, post: (message: RowsMessage) => void): (rows: Rows) => void {
  let number = 0
  let last: Rows = { ids: [], rows: [] }
  return now => {
    const known = new Map(last.ids.map((id, at) => [id, last.rows[at]]))
    const rows = now.rows.filter((row, at) => known.get(now.ids[at] as string) !== row)
    const { from, removed, added } = difference(last.ids, now.ids)
    last = now
    post({ godwit: 'rows', live, number: number++, from, removed, added, rows })
  }
}

/** Finds the one range in which two lists differ. */
function difference(before: readonly string[], now: readonly string[]) {
  const most = Math.min(before.length, now.length)
  let from = 0
  while (from < most && before[from] === now[from]) from++
  let same = 0
  while (same < most - from && before[before.length - 1 - same] === now[now.length - 1 - same]) same++
  return { from, removed: before.length - same - from, added: now.slice(from, now.length - same) }
}

interface PageQueryRequest {
  readonly live: number
  readonly on: string
  readonly args: readonly unknown[]
}

/** A live query of a page. */
export interface PageQuery {
  readonly stop: () => void
  /** Checks for changes that the engine does not report: those of the lists of refused and overwritten changes. */
  readonly look: () => void
}

/** Starts a live query; an error is sent as failed. */
export function watch(
  sdk: Sdk<unknown>,
  { live, on, args }: PageQueryRequest,
  post: (message: HostMessage) => void,
): PageQuery {
  const still: PageQuery = { stop: () => {}, look: () => {} }
  try {
    if (on === REFUSALS_TARGET) return watchListed(model => sdk.refused(model), { live, on, args }, post)
    if (on === OVERWRITTEN_TARGET) return watchListed(model => sdk.overwritten(model), { live, on, args }, post)
    if (on === SQL_TARGET) {
      const [text, values] = args as [string, []]
      // SQL returns rows without ids: each result is sent whole, and the page compares by position.
      const send = (rows: readonly object[]) => rowsSender(live, post)({ ids: rows.map((_, at) => String(at)), rows })
      return { ...still, stop: sdk.sql.observe(text, values, send) }
    }
    const send = rowsSender(live, post)
    const model = modelOf(sdk, on) as unknown as {
      observe(options: unknown, callback: (rows: readonly { readonly id: string }[]) => void): () => void
    }
    return { ...still, stop: model.observe(args[0], rows => send({ ids: rows.map(({ id }) => id), rows })) }
  } catch (error) {
    post({ godwit: 'failed', live, error: toWire(error) })
    if (!isSyncError(error)) throw error
    return still
  }
}

function watchListed(
  list: (model: never) => readonly object[],
  { live, args }: PageQueryRequest,
  post: (message: HostMessage) => void,
): PageQuery {
  let last = ''
  const look = (): void => {
    const rows = plainRows(list(args[0] as never)) as readonly {
      readonly model: string
      readonly id: number
    }[]
    const text = JSON.stringify(rows)
    if (text === last) return
    last = text
    rowsSender(live, post)({ ids: rows.map(({ model, id }) => `${id} ${model}`), rows })
  }
  look()
  return { stop: () => {}, look }
}
