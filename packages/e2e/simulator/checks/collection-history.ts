import type { Attributes, Outcome } from '@godwit/protocol'
import type { CollectionId, Store } from '@godwit/store'

/** How an object stood from one version on; null: removed. */
export interface HistoricalState {
  readonly version: number
  readonly attributes: Attributes | null
}

/** What was decided about a mutation. */
export interface DecidedMutation {
  readonly key: string
  readonly outcome: Outcome
}

/** Everything that one collection ever was, as written down beside the store: what devices show is measured by it. */
export class CollectionHistory {
  readonly collection: CollectionId
  epoch = ''
  version = 0
  /** Whether a query has filled it. */
  isQueried = false
  /** Whether it was there and is not any more. */
  isDropped = false
  /** Whether its last query failed. */
  isBroken = false
  /** Whether somebody asked for a query that did not come to its end yet. */
  isAsked = false
  /** Raised when its past no longer counts: another epoch, a restored older state. */
  lineage = 0
  /** Objects that went with the last reads. */
  readonly lost: string[] = []
  /** Objects that were removed in a past that no longer counts: an answer that was under way when it ended may still tell a device. */
  readonly removedBefore = new Set<string>()
  /** What lived when the last past that a query had filled ended: an answer that was under way then may remove anything else from a device. */
  livedBefore: ReadonlySet<string> | undefined
  #mark = ''
  #objects = new Map<string, HistoricalState[]>()

  constructor(collection: CollectionId) {
    this.collection = collection
  }

  /** Reads on from where it stands; what is new, a line each. */
  async read(store: Pick<Store, 'collections'>): Promise<readonly string[]> {
    const { collections } = store
    const head = await collections.head(this.collection)
    if (head === undefined) this.#endFilledPast()
    this.isDropped = head === undefined && this.epoch !== ''
    this.isAsked = head !== undefined && head.asked > head.served
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
      const states = this.#objects.get(id) ?? []
      states.push({ version, attributes: text === null ? null : (JSON.parse(text) as Attributes) })
      this.#objects.set(id, states)
    }
    this.version = head.version
    this.#mark = head.mark
    return fresh.map(({ id, version, text }) => `${version}: ${id} ${text}`)
  }

  begin(epoch: string): void {
    this.#endFilledPast()
    if (this.epoch !== '') this.lineage++
    for (const object of this.gone()) this.removedBefore.add(object)
    this.epoch = epoch
    this.version = 0
    this.#mark = ''
    this.#objects = new Map()
  }

  #endFilledPast(): void {
    if (this.isQueried) this.livedBefore = new Set(this.ids().filter(object => this.has(object)))
    this.isQueried = false
  }

  /** The first state from this version on that fits: the version at which it began to hold. */
  find(object: string, from: number, fits: (attributes: Attributes | null) => boolean): number | undefined {
    // Before its first state it was not there.
    const states = [{ version: 0, attributes: null }, ...(this.#objects.get(object) ?? [])]
    for (const [at, state] of states.entries()) {
      const until = states[at + 1]?.version ?? Number.POSITIVE_INFINITY
      if (until > from && fits(state.attributes)) return Math.max(from, state.version)
    }
    return undefined
  }

  /** Whether the object lives. */
  has(object: string): boolean {
    return (this.#objects.get(object)?.at(-1)?.attributes ?? null) !== null
  }

  /** Objects that it had and has not any more. */
  gone(): readonly string[] {
    return this.ids().filter(object => !this.has(object))
  }

  isGone(object: string, version: number): boolean {
    return this.#objects.get(object)?.findLast(state => state.version <= version)?.attributes === null
  }

  /** How many objects lived at a version. */
  count(version = this.version): number {
    const states = [...this.#objects.values()].map(all => all.findLast(state => state.version <= version))
    return states.filter(state => state !== undefined && state.attributes !== null).length
  }

  /** Whether an object has this photo now. */
  names(photo: string): boolean {
    return [...this.#objects.values()].some(states => states.at(-1)?.attributes?.['photo'] === photo)
  }

  /** Every content that it ever kept. */
  contents(): readonly Attributes[] {
    return [...this.#objects.values()].flatMap(states =>
      states.flatMap(({ attributes }) => (attributes === null ? [] : [attributes])),
    )
  }

  ids(): readonly string[] {
    return [...this.#objects.keys()]
  }

  /** For messages. */
  of(object: string): string {
    return JSON.stringify(this.#objects.get(object) ?? [])
  }
}
