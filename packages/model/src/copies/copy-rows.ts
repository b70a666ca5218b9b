import { type Attributes, Checksum, type ObjectId } from '@godwit/protocol'
import { passOfVisitor, SEARCH_PASS, visitorPass } from '../database/model-rows.js'
import type { SourceState } from '../database/source-states.js'
import { hashesIn } from '../definition/blob-names.js'
import type { ObjectChanges } from '../live/object-changes.js'
import { changedIn, isUndecided, type ServerRow, serverRowIn, stateOf, storeState } from '../outbox/object-state.js'
import { type CopiedModel, copyAt } from './copy-state.js'

/** What one copy says of an object. */
type Content = Pick<ServerRow, 'version' | 'pass' | 'attributes'>

/** The copies in which later pages of the same response deliver objects. */
export type Coming = ReadonlyMap<ObjectId, number>

export interface CopyRowsOptions {
  /** Collects the objects that are added, changed and removed. */
  readonly changes?: ObjectChanges | undefined
  readonly coming?: Coming | undefined
  /** True for rows that a repair delivers: they lead only where nothing else does. Default false. */
  readonly isRepair?: boolean
}

/**
 * Writes what one copy has of the objects of a model, within a transaction, and maintains the checksum of the copy.
 *
 * A row is displayed while it has a membership or an undecided change. One membership leads: its content is the row, or the server's row under
 * undecided changes; the others are in a table beside it. A copy takes the lead when it delivers a change: a page of a pass above a base in a version
 * that it did not have, or an outcome. What a pass from zero delivers leads only where nothing else does.
 *
 * Example: `a` is in the copies of the projects 7 and 8. A page of 8 removes it: project 7 leads again, with the content that it delivered. When 7
 * removes it too, the row goes.
 */
export class CopyRows {
  readonly #model: CopiedModel
  readonly #checksum: Checksum
  readonly #pass: number
  readonly #resync: boolean
  readonly #anyUndecided: boolean
  readonly #changes: ObjectChanges | undefined
  readonly #coming: Coming | undefined
  readonly #isRepair: boolean

  constructor(
    model: CopiedModel,
    { checksum, pass, resync, running }: SourceState,
    { changes, coming, isRepair = false }: CopyRowsOptions = {},
  ) {
    model.checkTable()
    this.#model = model
    this.#checksum = new Checksum(checksum)
    this.#pass = pass
    this.#resync = resync && running
    this.#anyUndecided = model.scope.outbox.hasAny(model.name)
    this.#changes = changes
    this.#coming = coming
    this.#isRepair = isRepair
  }

  get checksum(): string {
    return this.#checksum.toString()
  }

  /** Returns the version of a live or removed row in this copy, which an outcome must exceed. */
  knownVersion(object: ObjectId): number {
    const row = serverRowIn(this.#model, object)
    const isCounted = row && !(this.#resync && row.pass !== this.#pass)
    return Math.max(isCounted ? row.version : 0, this.#model.tombstones.version(object) ?? 0)
  }

  /** Stores a whole object from a page. */
  put(object: ObjectId, version: number, attributes: Attributes): void {
    this.#report(object, { version, pass: this.#pass, attributes }, !this.#resync && !this.#isRepair)
  }

  /** Stores a whole object from an outcome, which is not part of a pass. */
  putOutcome(object: ObjectId, version: number, attributes: Attributes): void {
    this.#report(object, { version, pass: 0, attributes }, true)
  }

  /** Displays an object that moved to this copy, until a pass that begins later has delivered it or not. It is outside the checksum. */
  putVisitor(object: ObjectId, attributes: Attributes): void {
    if (this.#has(object)) return
    this.#report(object, { version: 0, pass: visitorPass(this.#pass), attributes }, true)
  }

  /** Ends the membership of this copy, and stores a tombstone until the pass ends. */
  remove(object: ObjectId, version: number): void {
    this.#welcomeNext(object)
    this.end(object, { version })
    this.#model.tombstones.add(object, version)
  }

  find(): boolean {
    return false
  }

  removeStranger(object: ObjectId, version: number): void {
    this.end(object, { version })
  }

  keep(object: ObjectId): void {
    const row = serverRowIn(this.#model, object)
    if (row) this.put(object, row.version, row.attributes)
  }

  /** Ends the memberships of this copy that a pass from zero has not delivered. `head`: the version that the pass has reached. */
  removeOtherPasses(_after = 0, _isOver = () => false, _coming?: ReadonlySet<ObjectId>, head = 0): undefined {
    for (const [object, version, pass] of this.all()) {
      const isDelivered = pass === this.#pass || (pass === 0 && version > head)
      if (!isDelivered && pass !== SEARCH_PASS && passOfVisitor(pass) === undefined) this.end(object)
    }
    return undefined
  }

  /** Ends visitors that a whole pass of this copy did not deliver. */
  endVisitors(): void {
    const { rows, scope, copy } = this.#model
    const others = [...this.#changed(), ...scope.memberships.inCopy(copy.id)]
    for (const [object, , pass] of [...rows.visitorsOf(copy.id), ...others]) {
      const came = passOfVisitor(pass)
      if (came !== undefined && came < this.#pass) this.end(object)
    }
  }

  /**
   * Ends the membership of this copy alone. If it led, another leads with its own content; without another, undecided changes keep what they are based
   * on, unless access was denied.
   */
  end(
    object: ObjectId,
    { version, isDenied = false }: { readonly version?: number; readonly isDenied?: boolean } = {},
  ): void {
    const { scope, name, copy, rows } = this.#model
    const { serverRow, entries } = stateOf(this.#model, object)
    if (serverRow?.copy !== copy.id) {
      const other = scope.memberships.get(name, object, copy.id)
      if (other) this.#uncount(object, other.version)
      scope.memberships.remove(name, object, copy.id)
      return
    }
    if (serverRow.dead) {
      if (isDenied) storeState(this.#model, object, { serverRow: undefined, entries })
      return
    }
    this.#uncount(object, serverRow.version)
    const next = scope.memberships.of(name, object).find(other => other.copy !== copy.id)
    if (next) {
      scope.memberships.remove(name, object, next.copy)
      storeState(this.#model, object, { serverRow: { ...next, dead: false }, entries })
      this.#changes?.written(object, true)
      return
    }
    const newServerRow = { ...serverRow, version: version ?? serverRow.version, pass: this.#pass, dead: true }
    if (entries.length > 0) storeState(this.#model, object, { serverRow: isDenied ? undefined : newServerRow, entries })
    else rows.remove(object)
    this.#changes?.removed(object)
  }

  /** Returns the objects of this copy, displayed or beneath undecided changes. */
  objects(): readonly ObjectId[] {
    return this.all().map(([object]) => object)
  }

  #report(object: ObjectId, content: Content, mayLead: boolean): void {
    const { rows, scope, name, copy } = this.#model
    this.#wantBlobs(object, content.attributes)
    if (!this.#anyUndecided || !isUndecided(this.#model, object)) {
      if (rows.insert(object, { ...content, copy: copy.id })) {
        this.#count(object, content.version)
        this.#changes?.written(object, false)
        return
      }
    }
    const { serverRow, entries } = stateOf(this.#model, object)
    const lead = serverRow?.dead === false && typeof serverRow.copy === 'number' ? serverRow : undefined
    const isLeading = lead?.copy === copy.id
    const before = isLeading ? lead : scope.memberships.get(name, object, copy.id)
    if (before) this.#uncount(object, before.version)
    this.#count(object, content.version)
    const leads = !lead || isLeading || (mayLead && before?.version !== content.version)
    if (!leads) {
      scope.memberships.put(name, object, { copy: copy.id, ...content })
      return
    }
    if (lead && !isLeading) scope.memberships.put(name, object, { ...lead, copy: lead.copy as number })
    if (!isLeading) scope.memberships.remove(name, object, copy.id)
    storeState(this.#model, object, { serverRow: { ...content, dead: false, copy: copy.id }, entries })
    this.#changes?.written(object, lead !== undefined)
  }

  /** An object that moves within one response stays visible between its pages. */
  #welcomeNext(object: ObjectId): void {
    const next = this.#coming?.get(object)
    if (next === undefined || next === this.#model.copy.id || !this.#has(object)) return
    const attributes = stateOf(this.#model, object).serverRow?.attributes
    const target = copyAt(this.#model, next)
    const isAlone = this.#model.scope.memberships.of(this.#model.name, object).length === 0
    if (attributes && target && isAlone) visit(target, object, attributes, this.#changes)
  }

  #has(object: ObjectId): boolean {
    const { serverRow } = stateOf(this.#model, object)
    const { scope, name, copy } = this.#model
    const isLeading = serverRow?.dead === false && serverRow.copy === copy.id
    return isLeading || scope.memberships.get(name, object, copy.id) !== undefined
  }

  /** The memberships of this copy. */
  all(): readonly (readonly [object: ObjectId, version: number, pass: number])[] {
    const { rows, scope, copy } = this.#model
    return [...rows.ledBy(copy.id), ...this.#changed(), ...scope.memberships.inCopy(copy.id)]
  }

  /** The memberships of this copy that lead beneath undecided changes. */
  #changed(): readonly (readonly [object: ObjectId, version: number, pass: number])[] {
    if (!this.#anyUndecided) return []
    return changedIn(this.#model, this.#model.copy.id).flatMap(object => {
      const { serverRow } = stateOf(this.#model, object)
      return serverRow?.dead === false ? [[object, serverRow.version, serverRow.pass] as const] : []
    })
  }

  #count(object: ObjectId, version: number): void {
    if (version > 0) this.#checksum.add(object, version)
  }

  #uncount(object: ObjectId, version: number): void {
    if (version > 0) this.#checksum.remove(object, version)
  }

  #wantBlobs(object: ObjectId, attributes: Attributes): void {
    const { scope, name, blobs } = this.#model
    if (blobs.length === 0) return
    for (const hash of hashesIn(blobs, attributes)) scope.blobs.wanted.add(name, object, hash)
  }
}

/** Returns the objects that the checksum of a copy counts, with their versions, in order of ids. */
export const countedIn = (model: CopiedModel): readonly (readonly [object: ObjectId, version: number])[] =>
  new CopyRows(model, model.state.get())
    .all()
    .flatMap(([object, version]) => (version > 0 ? [[object, version] as const] : []))
    .sort(([one], [other]) => orderOf(one, other))

/** The order of the UTF-8 bytes of ids, as SQLite and the server have it: that of their code points. */
export function orderOf(one: ObjectId, other: ObjectId): number {
  const [mine, others] = [[...one], [...other]]
  for (const [at, character] of mine.entries()) {
    const difference = (character.codePointAt(0) ?? 0) - (others[at]?.codePointAt(0) ?? -1)
    if (difference !== 0) return difference
  }
  return mine.length - others.length
}

/** Makes an object a visitor of a copy. Its checksum does not change. */
export function visit(model: CopiedModel, object: ObjectId, attributes: Attributes, changes?: ObjectChanges): void {
  new CopyRows(model, model.state.get(), { changes }).putVisitor(object, attributes)
}
