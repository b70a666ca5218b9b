import { type Attributes, Checksum, type ObjectId } from '@godwit/protocol'
import { CopyRows, type CopyRowsOptions } from '../copies/copy-rows.js'
import type { DeviceDatabase } from '../database/database.js'
import { SEARCH_PASS } from '../database/model-rows.js'
import type { OpenModel } from '../database/open-models.js'
import type { SourceState } from '../database/source-states.js'
import { hashesIn } from '../definition/blob-names.js'
import type { ObjectChanges } from '../live/object-changes.js'
import { isUndecided, type ServerRow, stateOf, storeState } from '../outbox/object-state.js'
import { duplicateOf } from './unique.js'

/**
 * Writes the server's rows of one model within a transaction and maintains the checksum of live rows. The server's row of an object with undecided
 * changes is stored with the first of them.
 *
 * An object is in one of two forms. Without undecided changes, the table has the server's row. With some, the table has the row that the app sees, and
 * the outbox entry of the first change has the server's row. A row that arrives replaces the server's row in whichever place it is, and the visible
 * row is computed again. The checksum counts the server's rows only, so it can equal the server's although the app sees its own changes.
 *
 * Example: the server has `{ name: 'Ada', city: 'Bern' }` in version 7, and the app sets `city: 'Basel'`. The table shows `Ada, Basel` with version 0;
 * the entry has version 7 and `Ada, Bern`. A page brings version 8, `{ name: 'Ada L.', city: 'Bern' }`: the entry now has version 8, the app sees
 * `Ada L., Basel`, and the checksum loses version 7 and gains version 8.
 */
export class ServerRows {
  readonly #model: OpenModel
  readonly #checksum: Checksum
  readonly #pass: number
  readonly #resync: boolean
  readonly #anyUndecided: boolean
  readonly #changes: ObjectChanges | undefined

  /** `changes` collects the objects that are added, changed and removed. */
  constructor(model: OpenModel, { checksum, pass, resync, running }: SourceState, changes?: ObjectChanges) {
    model.checkTable()
    this.#changes = changes
    this.#model = model
    this.#checksum = new Checksum(checksum)
    this.#pass = pass
    this.#resync = resync && running
    this.#anyUndecided = model.scope.outbox.hasAny(model.name)
  }

  get checksum(): string {
    return this.#checksum.toString()
  }

  /**
   * Returns the version of a live or removed row, which an outcome must exceed. During a resync, rows that the pass has not delivered count as
   * unknown.
   */
  knownVersion(object: ObjectId): number {
    const { serverRow } = stateOf(this.#model, object)
    const counted = serverRow && !(this.#resync && serverRow.pass !== this.#pass) ? serverRow.version : 0
    return Math.max(counted, this.#model.tombstones.version(object) ?? 0)
  }

  /** Stores a whole object from a page. */
  put(object: ObjectId, version: number, attributes: Attributes): void {
    this.#writeRow(object, version, this.#pass, attributes)
  }

  /** Stores a whole object from an outcome, which is not part of a pass. */
  putOutcome(object: ObjectId, version: number, attributes: Attributes): void {
    this.#writeRow(object, version, 0, attributes)
  }

  /** Removes an object and stores a tombstone until the pass ends. */
  remove(object: ObjectId, version: number): void {
    this.#drop(object, version)
    this.#model.tombstones.add(object, version)
  }

  /** Stores a search result, which the checksum does not include. Returns false if there is a row or an undecided change. */
  find(object: ObjectId, attributes: Attributes): boolean {
    const { rows } = this.#model
    if (this.#isUndecided(object)) return false
    const row = { version: 0, pass: SEARCH_PASS, attributes }
    const isStored = rows.insert(object, row) || (rows.stamp(object)?.pass === SEARCH_PASS && rows.update(object, row))
    if (isStored) this.#wantBlobs(object, attributes)
    return isStored
  }

  /** Removes a row that the server does not have, outside a pass and without a tombstone. */
  removeStranger(object: ObjectId, version: number): void {
    this.#drop(object, version)
  }

  /** Marks the server's row as delivered by the pass. */
  keep(object: ObjectId): void {
    const { serverRow } = stateOf(this.#model, object)
    if (serverRow) this.put(object, serverRow.version, serverRow.attributes)
  }

  /**
   * Removes the rows that a resync has not delivered, except `coming`, the objects of the last page. Starts after the `seq` `after`, stops once
   * `isOver` returns true, and returns where to continue; undefined at the end.
   */
  removeOtherPasses(after = 0, isOver = () => false, coming?: ReadonlySet<ObjectId>): number | undefined {
    const { rows, scope, name } = this.#model
    const notComing = (found: readonly (readonly [object: ObjectId, version: number])[]) =>
      coming ? found.filter(([object]) => !coming.has(object)) : found
    for (const [object, version] of notComing(scope.serverRows.ofOtherPasses(name, this.#pass)))
      this.#drop(object, version)
    return rows.eachRange(after, isOver, range => {
      for (const [object, version] of notComing(rows.ofOtherPasses(this.#pass, range))) {
        if (version > 0) this.#checksum.remove(object, version)
        if (rows.remove(object)) this.#changes?.removed(object)
      }
    })
  }

  #isUndecided(object: ObjectId): boolean {
    return this.#anyUndecided && isUndecided(this.#model, object)
  }

  #writeRow(object: ObjectId, version: number, pass: number, attributes: Attributes): void {
    const { rows } = this.#model
    if (this.#isUndecided(object)) {
      this.#replaceServerRow(object, { version, pass, attributes, dead: false })
    } else {
      const row = { version, pass, attributes }
      const isNew = rows.insert(object, row)
      this.#changes?.written(object, !isNew)
      if (!isNew) {
        const old = rows.stamp(object)?.version ?? 0
        if (old > 0) this.#checksum.remove(object, old)
        rows.update(object, row)
      }
    }
    this.#checksum.add(object, version)
    this.#wantBlobs(object, attributes)
  }

  #wantBlobs(object: ObjectId, attributes: Attributes): void {
    const { scope, name, blobs } = this.#model
    if (blobs.length === 0) return
    for (const hash of hashesIn(blobs, attributes)) scope.blobs.wanted.add(name, object, hash)
  }

  #drop(object: ObjectId, version: number): void {
    const { rows } = this.#model
    if (!this.#isUndecided(object)) {
      const old = rows.stamp(object)
      if (old && old.version > 0) this.#checksum.remove(object, old.version)
      if (old && rows.remove(object)) this.#changes?.removed(object)
      return
    }
    const { serverRow } = stateOf(this.#model, object)
    if (serverRow) this.#replaceServerRow(object, { ...serverRow, version, pass: this.#pass, dead: true })
  }

  /** Replaces the server's row of an object with undecided changes. */
  #replaceServerRow(object: ObjectId, now: ServerRow): void {
    const { serverRow: old, entries } = stateOf(this.#model, object)
    const wasLive = old?.dead === false
    if (!now.dead) this.#changes?.written(object, wasLive)
    else if (wasLive) this.#changes?.removed(object)
    if (wasLive && old.version > 0) this.#checksum.remove(object, old.version)
    storeState(this.#model, object, { serverRow: now, entries })
  }
}

/** Writes what the server says of the objects of a source, or of one of its copies. */
export type RowWriter = ServerRows | CopyRows

/** Returns the writer of the model's source, or of the copy through which it is used. */
export const rowWriterOf = (model: OpenModel, state: SourceState, options: CopyRowsOptions = {}): RowWriter => {
  const { copy } = model
  return copy ? new CopyRows({ ...model, copy }, state, options) : new ServerRows(model, state, options.changes)
}

/** Iterates over rows as the server sent them. */
export type EachRow = (use: (object: ObjectId, version: number, attributes: Attributes) => void) => void

/** Two objects from the server that violate a unique index; the app could not have saved them. */
export interface Duplicate {
  readonly index: string
  readonly objects: readonly [ObjectId, ObjectId]
}

/** Finds violations of unique indexes among rows from the server, which are always stored. Call it after the rows are written. */
export function duplicatesOf(database: DeviceDatabase, model: OpenModel, each: EachRow): readonly Duplicate[] {
  const unique = model.definition.indexes.filter(index => index.unique)
  if (unique.length === 0) return []
  const all: { readonly object: ObjectId; readonly attributes: Attributes }[] = []
  each((object, _, attributes) => all.push({ object, attributes }))
  const arrived = new Set(all.map(({ object }) => object))
  return all.flatMap(({ object, attributes }) =>
    unique.flatMap(index => {
      const duplicate = duplicateOf(database, model, index, object, attributes)
      // If both objects of a pair arrive together, only one of them reports it.
      const isReported = duplicate === undefined || (arrived.has(duplicate) && duplicate < object)
      return isReported ? [] : [{ index: index.name, objects: [object, duplicate] as const }]
    }),
  )
}
