import type { Attributes, Outcome } from '@godwit/protocol'
import type { CollectionId, Store } from '@godwit/store'

/** An object's state from one version on; null: removed. */
export interface HistoricalState {
  readonly version: number
  readonly attributes: Attributes | null
}

/** A mutation with its outcome. */
export interface DecidedMutation {
  readonly key: string
  readonly outcome: Outcome
}

/** The complete history of one collection, recorded beside the store, to which devices are compared. */
export class CollectionHistory {
  readonly collection: CollectionId
  epoch = ''
  version = 0
  /** Whether a query has filled it. */
  isQueried = false
  /** Whether it was dropped. */
  isDropped = false
  /** Whether its last query failed. */
  isBroken = false
  /** Whether a requested query has not ended yet. */
  isRequested = false
  /** Incremented when its history is invalidated: another epoch, or a restored older state. */
  lineage = 0
  /** Objects removed by the last reads. */
  readonly lost: string[] = []
  /** Objects that the last reads found written again with equal content, each in the only batch since the previous read. */
  readonly repeated: string[] = []
  /** Objects that the last reads found with a `null` attribute. */
  readonly withNull: string[] = []
  /** Objects removed in invalidated histories; a late response may still report their removal to a device. */
  readonly removedBefore = new Set<string>()
  /** Objects alive when the last queried history was invalidated; a late response may remove all others from a device. */
  livedBefore: ReadonlySet<string> | undefined
  #mark = ''
  #objects = new Map<string, HistoricalState[]>()
  /** States of histories that were invalidated. */
  readonly #former = new Map<string, HistoricalState[]>()

  constructor(collection: CollectionId) {
    this.collection = collection
  }

  /** Reads the changes since the last version, and returns one line for each. */
  async read(store: Pick<Store, 'collections'>): Promise<readonly string[]> {
    const { collections } = store
    const head = await collections.head(this.collection)
    if (head === undefined) this.#endFilledPast()
    this.isDropped = head === undefined && this.epoch !== ''
    this.isRequested = head !== undefined && head.queriesRequested > head.queriesServed
    this.isBroken = head?.sourceError !== undefined
    if (head !== undefined && (head.epoch !== this.epoch || head.version < this.version)) this.begin(head.epoch)
    this.isQueried = head?.queriedAt !== undefined
    if (!head || (head.version === this.version && this.#mark !== '')) return []
    const after = { version: this.version + 1, id: '' }
    const from = { epoch: head.epoch, head: this.version, mark: this.#mark, base: this.version, start: 0, after }
    const changes = await collections.changes(this.collection, { ...(this.#mark !== '' && { from }), limit: 100_000 })
    if (changes?.more === true) throw new Error('There are more changes than one read of the store gives.')
    const fresh = (changes?.rows ?? []).filter(({ version }) => version > this.version)
    for (const { id, version, text } of fresh) {
      if (text === null) this.lost.push(id)
      const attributes = text === null ? null : (JSON.parse(text) as Attributes)
      this.#recordFlaws({ id, version, attributes }, head)
      this.#objects.set(id, [...(this.#objects.get(id) ?? []), { version, attributes }])
    }
    this.version = head.version
    this.#mark = head.mark
    return fresh.map(({ id, version, text }) => `${version}: ${id} ${text}`)
  }

  #recordFlaws(
    { id, version, attributes }: HistoricalState & { readonly id: string },
    { floor }: { floor: number },
  ): void {
    if (attributes !== null && Object.values(attributes).includes(null)) this.withNull.push(id)
    const last = this.#objects.get(id)?.at(-1)
    // A tombstone below the floor was compacted, so another removal writes a new one.
    const isKnown = last !== undefined && (last.attributes !== null || last.version > floor)
    const isNext = this.#mark !== '' && version === this.version + 1
    if (isKnown && isNext && last.version < version && isSameState(last.attributes, attributes)) this.repeated.push(id)
  }

  begin(epoch: string): void {
    this.#endFilledPast()
    if (this.epoch !== '') this.lineage++
    for (const object of this.gone()) this.removedBefore.add(object)
    for (const [object, states] of this.#objects)
      this.#former.set(object, [...(this.#former.get(object) ?? []), ...states])
    this.epoch = epoch
    this.version = 0
    this.#mark = ''
    this.#objects = new Map()
  }

  #endFilledPast(): void {
    if (this.isQueried) this.livedBefore = new Set(this.ids().filter(object => this.has(object)))
    this.isQueried = false
  }

  /** Returns the first version, from this one on, at which a matching state began. */
  find(object: string, from: number, fits: (attributes: Attributes | null) => boolean): number | undefined {
    // Before its first state, the object did not exist.
    const states = [{ version: 0, attributes: null }, ...(this.#objects.get(object) ?? [])]
    for (const [at, state] of states.entries()) {
      const until = states[at + 1]?.version ?? Number.POSITIVE_INFINITY
      if (until > from && fits(state.attributes)) return Math.max(from, state.version)
    }
    return undefined
  }

  /** Returns true if the object had a matching state in an invalidated history, which a bulk file of that time still contains. */
  was(object: string, fits: (attributes: Attributes | null) => boolean): boolean {
    return (this.#former.get(object) ?? []).some(({ attributes }) => fits(attributes))
  }

  /** Returns true if the object exists. */
  has(object: string): boolean {
    return (this.#objects.get(object)?.at(-1)?.attributes ?? null) !== null
  }

  /** Returns the removed objects. */
  gone(): readonly string[] {
    return this.ids().filter(object => !this.has(object))
  }

  isGone(object: string, version: number): boolean {
    return this.#objects.get(object)?.findLast(state => state.version <= version)?.attributes === null
  }

  /** Returns the number of objects at a version. */
  count(version = this.version): number {
    const states = [...this.#objects.values()].map(all => all.findLast(state => state.version <= version))
    return states.filter(state => state !== undefined && state.attributes !== null).length
  }

  /** Returns true if an object currently has this photo. */
  names(photo: string): boolean {
    return [...this.#objects.values()].some(states => states.at(-1)?.attributes?.['photo'] === photo)
  }

  /** Returns every content that was ever stored. */
  contents(): readonly Attributes[] {
    return [...this.#objects.values()].flatMap(states =>
      states.flatMap(({ attributes }) => (attributes === null ? [] : [attributes])),
    )
  }

  ids(): readonly string[] {
    return [...this.#objects.keys()]
  }

  /** Returns the last known version of an object; undefined if it is unknown or removed. */
  versionOf(object: string): number | undefined {
    const last = this.#objects.get(object)?.at(-1)
    return last?.attributes === null ? undefined : last?.version
  }

  /** Returns the states of an object as text, for messages. */
  of(object: string): string {
    return JSON.stringify(this.#objects.get(object) ?? [])
  }
}

function isSameState(one: Attributes | null, other: Attributes | null): boolean {
  if (one === null || other === null) return one === other
  return [...Object.keys(one), ...Object.keys(other)].every(name => one[name] === other[name])
}
