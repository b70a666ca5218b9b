import { Checksum, type ObjectId } from '@godwit/protocol'
import type { ChangeRow, Position } from '../collections.js'
import { compareIds, comparePositions } from '../history/index.js'

const PRUNE_ABOVE = 1000

/**
 * The rows of a collection: by id, in the order of changes, and in the order of ids. The list of changes is only appended to, since each batch has a
 * higher version; replaced rows stay in it until they are half of it.
 */
export class ObjectRows {
  readonly checksum = new Checksum()
  #byId = new Map<ObjectId, ChangeRow>()
  #byVersion: ChangeRow[] = []
  #liveIds: ObjectId[] | undefined
  #live = 0

  get live(): number {
    return this.#live
  }

  get(id: ObjectId): ChangeRow | undefined {
    return this.#byId.get(id)
  }

  all(): Iterable<ChangeRow> {
    return this.#byId.values()
  }

  /** Stores the rows of a batch, whose version is above all others. */
  put(rows: readonly ChangeRow[]): void {
    for (const row of rows) {
      this.#count(this.#byId.get(row.id), row)
      this.#byId.set(row.id, row)
    }
    this.#byVersion.push(...[...rows].sort(comparePositions))
    this.#prune()
  }

  forget(tombstone: ChangeRow): void {
    this.#byId.delete(tombstone.id)
    this.#prune()
  }

  /** Yields rows strictly after a position, in order. */
  *after(position: Position): Generator<ChangeRow> {
    const rows = this.#byVersion
    for (let index = firstAfter(rows, row => comparePositions(row, position)); index < rows.length; index++) {
      const row = rows[index]
      if (row && this.#byId.get(row.id) === row) yield row
    }
  }

  /** Lists live objects in order of id. */
  *list(after: ObjectId | undefined): Generator<ChangeRow> {
    this.#liveIds ??= [...this.#byId.values()]
      .filter(row => row.text !== null)
      .map(row => row.id)
      .sort(compareIds)
    const ids = this.#liveIds
    const first = after === undefined ? 0 : firstAfter(ids, id => compareIds(id, after))
    for (let index = first; index < ids.length; index++) {
      const row = this.#byId.get(ids[index] ?? '')
      if (row) yield row
    }
  }

  #count(before: ChangeRow | undefined, row: ChangeRow): void {
    const was = typeof before?.text === 'string'
    const is = row.text !== null
    if (before && was) this.checksum.remove(before.id, before.version)
    if (is) this.checksum.add(row.id, row.version)
    this.#live += Number(is) - Number(was)
    if (is !== was) this.#liveIds = undefined
  }

  #prune(): void {
    if (this.#byVersion.length < 2 * this.#byId.size + PRUNE_ABOVE) return
    this.#byVersion = this.#byVersion.filter(row => this.#byId.get(row.id) === row)
  }
}

/** The index of the first item that compares greater than zero, in a sorted list. */
function firstAfter<Item>(items: readonly Item[], compare: (item: Item) => number): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const item = items[middle]
    if (item !== undefined && compare(item) > 0) high = middle
    else low = middle + 1
  }
  return low
}
