import { callSafely } from '../live/call-safely.js'
import type { LiveQuery, LiveRows } from '../typed/live-rows.js'
import { fromWire } from './error-values.js'
import { deepFreeze, isSame } from './plain-values.js'
import type { HostMessage, PageMessage, RowsMessage } from './protocol.js'

/** A subscriber of a live query. */
interface Watcher {
  rows(rows: readonly object[]): void
  failed(error: Error): void
}

interface Subscription extends Watcher {
  readonly on: string
  readonly args: readonly unknown[]
  /** Number of the next message; 0 carries the whole result. */
  next: number
  ids: string[]
  known: Map<string, object>
  list: readonly object[] | undefined
}

/** The live queries of a page. Unchanged rows keep their identity as frozen objects, also when the host changes. */
export class LiveQueries {
  readonly #watched = new Map<number, Subscription>()
  readonly #post: (message: PageMessage) => void
  #last = 0
  #failure: Error | undefined

  constructor(post: (message: PageMessage) => void) {
    this.#post = post
  }

  /** Call the result to stop. */
  watch(on: string, args: readonly unknown[], watcher: Watcher): () => void {
    const live = ++this.#last
    this.#watched.set(live, { ...watcher, on, args, next: 0, ids: [], known: new Map(), list: undefined })
    this.#begin(live)
    if (this.#failure) watcher.failed(this.#failure)
    return () => {
      if (this.#watched.delete(live)) this.#post({ godwit: 'unwatch', live })
    }
  }

  /** A host answered: all queries start again there, and their first rows are compared by content. */
  connected(): void {
    this.#failure = undefined
    for (const live of this.#watched.keys()) this.#begin(live)
  }

  rows(message: RowsMessage): void {
    const { live, number } = message
    const one = this.#watched.get(live)
    if (!one) return
    if (number !== 0 && number !== one.next) {
      // A message was lost: request the whole result again.
      if (one.next !== 0) this.#begin(live)
      return
    }
    one.next = number + 1
    const list = mergeRows(one, message)
    if (list === one.list) return
    one.list = list
    callSafely(() => one.rows(list))
  }

  failed({ live, error }: HostMessage & { readonly godwit: 'failed' }): void {
    const one = this.#watched.get(live)
    if (one) fail(one, fromWire(error))
  }

  /** Fails all queries until a host answers. `keepsRows`: those with rows keep showing them. */
  failAll(error: Error, keepsRows?: boolean): void {
    this.#failure = error
    for (const one of this.#watched.values()) if (!keepsRows || !one.list) fail(one, error)
  }

  #begin(live: number): void {
    const one = this.#watched.get(live)
    if (!one) return
    one.next = 0
    this.#post({ godwit: 'watch', live, on: one.on, args: one.args })
  }
}

function fail(one: Subscription, error: Error): void {
  // Notifies even if the rows are the same.
  one.list = undefined
  callSafely(() => one.failed(error))
}

/** Applies a message to the rows; returns the same list if nothing changed. */
function mergeRows(one: Subscription, { number, from, removed, added, rows }: RowsMessage): readonly object[] {
  const whole = number === 0
  const coming = new Map(rows.map((row, at) => [idOf(row, whole ? (added[at] as string) : undefined), row]))
  if (whole) one.ids = [...added]
  else one.ids.splice(from, removed, ...added)
  const before = one.known
  one.known = new Map()
  for (const id of one.ids) {
    const [old, row] = [before.get(id), coming.get(id)]
    const kept = row && !(old && isSame(old, row)) ? deepFreeze(row) : old
    if (kept) one.known.set(id, kept)
  }
  const list = one.ids.flatMap(id => one.known.get(id) ?? [])
  const { list: last } = one
  return last && last.length === list.length && last.every((row, at) => row === list[at]) ? last : Object.freeze(list)
}

const idOf = (row: object, place: string | undefined): string => place ?? (row as { readonly id: string }).id

const LOADING: LiveRows<never> = Object.freeze({ status: 'loading', rows: Object.freeze([]), error: undefined })

/** A live query as a snapshot and a subscription. It runs while there are subscribers; later the snapshot is the last result. */
export function remoteLive<Row extends object>(
  watch: (watcher: Watcher) => () => void,
  toApp?: (row: object) => Row,
): LiveQuery<Row> {
  const listeners = new Set<() => void>()
  let snapshot: LiveRows<Row> = LOADING
  let stop = (): void => {}
  const show = (next: LiveRows<Row>): void => {
    snapshot = next
    for (const listener of listeners) callSafely(listener)
  }
  return {
    current: () => snapshot,
    subscribe(given) {
      const listener = () => given()
      if (listeners.size === 0)
        stop = watch({
          rows: rows => show({ status: 'ready', rows: toApp ? rows.map(toApp) : (rows as Row[]), error: undefined }),
          failed: error => show({ status: 'failed', rows: snapshot.rows, error }),
        })
      listeners.add(listener)
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) stop()
      }
    },
  }
}
