import type { Outcome } from '@godwit/protocol'
import type { Acceptance, CollectionId, JournalEntry, SettledMutation, StartedMutation, Store } from '@godwit/store'
import { CollectionHistory } from './collection-history.js'
import { flawOfOutcome } from './judgement.js'
import { OutcomeNumbers } from './outcome-numbers.js'
import { RunningQueries } from './running-queries.js'
import { isRival, nameOf, newValues, type SentMutation } from './sent-mutation.js'

/** The part of a store that its history is read from. */
type ObservedStore = Pick<Store, 'collections' | 'journal'>

/** A record of all calls between servers and store. */
export class Observations {
  readonly #histories = new Map<string, CollectionHistory>()
  readonly #sent = new Map<string, SentMutation>()
  readonly #byValue = new Map<string, Set<string>>()
  readonly #forgotten = new Set<string>()
  readonly #started = new Set<SentMutation>()
  readonly #links = new Map<string, readonly string[]>()
  readonly #numbers = new OutcomeNumbers()
  readonly #queries = new RunningQueries()
  /** Objects of started backend calls, by collection; equal writes of these objects are allowed. */
  readonly #called = new Set<string>()
  /** Calls that began while a query of their collection may have run, which may end before their writes are read. */
  readonly #besideQueries = new WeakSet<readonly unknown[]>()
  /** Number of times that the history of a collection was invalidated. */
  lineages = 0
  /** Number of photos completely uploaded to the store. */
  uploads = 0
  /** Called when a collection's history is invalidated. */
  onLineage: (collection: CollectionId) => void = () => {}
  violated: (promise: string, found: string) => void = () => {}
  /** Called for objects that a collection lost or, by a query, regained. */
  onRemoved: (collection: CollectionId, object: string) => void = () => {}
  onReturned: (collection: CollectionId, object: string) => void = () => {}
  /** Called with descriptions of decisions and writes. */
  note: (text: string) => void = () => {}

  of(collection: CollectionId): CollectionHistory {
    const name = nameOf(collection)
    const collectionHistory = this.#histories.get(name) ?? new CollectionHistory(collection)
    this.#histories.set(name, collectionHistory)
    return collectionHistory
  }

  all(): readonly CollectionHistory[] {
    return [...this.#histories.values()]
  }

  sent(): readonly SentMutation[] {
    return [...this.#sent.values()]
  }

  key(key: string): SentMutation | undefined {
    return this.#sent.get(key)
  }

  /** Returns the mutations that wrote this value. */
  withValue(value: string): readonly SentMutation[] {
    return [...(this.#byValue.get(value) ?? [])].flatMap(key => this.#sent.get(key) ?? [])
  }

  /** Returns undecided mutations, by object, of objects with one started since the last call. */
  takeStarted(): readonly (readonly SentMutation[])[] {
    const rivals = [...this.#started].map(started => this.sent().filter(sent => isRival(sent, started)))
    this.#started.clear()
    return rivals.filter(({ length }) => length > 1)
  }

  /** Returns true if the mutation's journal was replaced by an older one in the same epoch, so that its running call is unknown. */
  isForgotten(key: string): boolean {
    return this.#forgotten.has(key)
  }

  /** Returns true if a client received an outcome whose number was then lost and reused, which the client cannot detect. */
  isMisled(client: string): boolean {
    return this.#numbers.isMisled(client)
  }

  /** Returns the current id of an object. */
  idOf(collection: CollectionId, object: string): string {
    return this.idsOf(collection, object).at(-1) ?? object
  }

  /** Returns every id of an object; a create may have been repeated after a restore from a file. */
  idsOf(collection: CollectionId, object: string): readonly string[] {
    return [object, ...(this.#links.get(`${collection.source}/${object}`) ?? [])]
  }

  /** Treats every collection as if a query may be running, from now on. */
  forgetQueries(): void {
    this.#queries.forget()
  }

  /** Records a call of the store that is about to begin. */
  expect(name: string, given: readonly unknown[]): void {
    this.#queries.begins(name, given)
    if (/^collections\.(apply|advance)$/.test(name) && this.#queries.mayRun(given[0] as CollectionId))
      this.#besideQueries.add(given)
    if (name === 'journal.dropClient') this.#recordDroppedClient(given as readonly [CollectionId, string])
  }

  /** Records that the journal forgets the changes of a removed client, whose device sends them again. */
  #recordDroppedClient([collection, client]: readonly [CollectionId, string]): void {
    for (const sent of this.#sent.values())
      if (sent.clients.has(client) && sent.decidedIn === nameOf(collection)) sent.isDropped = true
  }

  /** Records a call of the store. */
  async observe(store: ObservedStore, name: string, given: readonly unknown[], result: unknown): Promise<void> {
    this.#queries.ends(name, given, result)
    await this.#numbers.observe(store, name, given)
    if (name === 'blobs.complete') this.uploads++
    if (name === 'journal.accept') this.#recordAccept(given, result)
    if (name === 'journal.settle') this.#recordSettle(given, result)
    if (name === 'journal.start') this.#recordStart(given, result)
    if (name === 'collections.replace') return this.#recordReplace(store, given[0] as CollectionId)
    if (/^collections\.(open|apply|advance|drop)$|^journal\.settle$/.test(name))
      await this.read(store, given[0] as CollectionId, { mayRepeat: this.#besideQueries.has(given) })
    if (name === 'journal.settle') this.#checkVersion(given, result)
  }

  /** Checks that a query does not remove most objects of a large collection, which means that its backend is broken. */
  async #recordReplace(store: ObservedStore, collection: CollectionId): Promise<void> {
    const collectionHistory = this.of(collection)
    const { lineage } = collectionHistory
    const before = collectionHistory.count()
    const gone = collectionHistory.gone()
    await this.read(store, collection)
    if (collectionHistory.lineage === lineage)
      for (const object of gone) if (collectionHistory.has(object)) this.onReturned(collection, object)
    if (before > 100 && collectionHistory.count() < before / 2 && collectionHistory.lineage === lineage)
      this.violated('a broken query does not empty a collection', `${nameOf(collection)} had ${before} objects`)
  }

  async read(store: ObservedStore, collection: CollectionId, { mayRepeat = false } = {}): Promise<void> {
    const collectionHistory = this.of(collection)
    const { lineage } = collectionHistory
    for (const line of await collectionHistory.read(store)) this.note(`    ${nameOf(collection)} ${line}`)
    for (const object of collectionHistory.lost.splice(0)) this.onRemoved(collection, object)
    this.#checkWrites(collectionHistory, mayRepeat)
    if (collectionHistory.lineage === lineage) return
    this.lineages++
    this.onLineage(collection)
  }

  /** Records a restore: earlier reads no longer count. In a new epoch, every unanswered call still counts as running. */
  rewind({ forgets }: { readonly forgets: boolean }): void {
    if (forgets) for (const key of this.#sent.keys()) this.#forgotten.add(key)
    this.#numbers.rewind({ forgets })
    this.#queries.forget()
    for (const collectionHistory of this.#histories.values()) {
      collectionHistory.begin(`restored ${collectionHistory.epoch}`)
      this.lineages++
      this.onLineage(collectionHistory.collection)
    }
  }

  #recordAccept(given: readonly unknown[], result: unknown): void {
    const [collection, { mutations, client }] = given as [CollectionId, Acceptance]
    if (!('entries' in (result as { entries?: readonly JournalEntry[] }))) return
    for (const mutation of mutations) {
      const known = this.#sent.get(mutation.key)
      known?.clients.add(client)
      // A mutation marked as sent may have been in an earlier journal.
      if (known && mutation.sent) known.mutation = mutation
      if (known) continue
      this.#sent.set(mutation.key, { collection, mutation, clients: new Set([client]) })
      for (const value of newValues(mutation)) {
        this.#byValue.set(value, (this.#byValue.get(value) ?? new Set()).add(mutation.key))
      }
    }
  }

  #recordStart(given: readonly unknown[], result: unknown): void {
    const [collection, key] = given as [CollectionId, string]
    const sent = this.#sent.get(key)
    if (!sent || 'refused' in (result as object)) return
    const { entry, before } = result as StartedMutation
    this.#started.add(sent)
    sent.started = { mutation: entry.mutation, before }
    this.#called.add(`${nameOf(collection)}/${entry.mutation.object}`)
  }

  /** Checks that a decision never changes, and that an outcome `conflict` or `gone` is correct. */
  #checkDecision(collection: CollectionId, sent: SentMutation, outcome: Outcome): void {
    const { lineage } = this.of(collection)
    const isDecided = sent.outcome !== undefined && sent.outcome.status !== 'in_doubt' && sent.isDropped !== true
    if (isDecided && sent.decidedIn === nameOf(collection) && sent.lineage === lineage)
      this.violated(
        'what is decided stays decided',
        `${JSON.stringify(sent.outcome)} became ${JSON.stringify(outcome)}`,
      )
    const flaw = sent.started && flawOfOutcome(sent.started, outcome)
    if (flaw) this.violated('only a conflict is one', `${JSON.stringify(sent.started)} is ${outcome.status}: ${flaw}`)
  }

  /** Checks that no write stored `null` or equal content; equal writes are allowed during queries and after calls of the object. */
  #checkWrites({ collection, repeated, withNull }: CollectionHistory, mayRepeat: boolean): void {
    for (const object of withNull.splice(0))
      this.violated('null is absent', `${nameOf(collection)} ${object} was stored with null`)
    for (const object of repeated.splice(0)) {
      if (mayRepeat || this.#queries.mayRun(collection) || this.#called.has(`${nameOf(collection)}/${object}`)) continue
      this.violated('equal content is no change', `${nameOf(collection)} ${object} was written again as it was`)
    }
  }

  /** Checks that an outcome has the version of its object, unless the collection was written since. */
  #checkVersion(given: readonly unknown[], result: unknown): void {
    const [collection, key] = given as [CollectionId, string]
    const sent = this.#sent.get(key)
    if (!sent || 'refused' in (result as object)) return
    const collectionHistory = this.of(collection)
    const { outcome, version } = result as SettledMutation
    const object = outcome.link ?? sent.started?.mutation.object
    if (object === undefined || collectionHistory.version !== version) return
    const stored = collectionHistory.versionOf(object)
    if (stored !== undefined && stored !== outcome.version)
      this.violated('an outcome has the version of its object', `${JSON.stringify(outcome)} is of version ${stored}`)
  }

  #recordSettle(given: readonly unknown[], result: unknown): void {
    const [collection, key] = given as [CollectionId, string]
    const sent = this.#sent.get(key)
    if ('refused' in (result as object) || !sent) return
    const { outcome } = result as SettledMutation
    this.note(
      `    ${collection.source} ${sent.mutation.operation} ${sent.mutation.object} is ${JSON.stringify(outcome)}`,
    )
    this.#checkDecision(collection, sent, outcome)
    recordOutcome(sent, outcome, this.of(collection))
    if (outcome.link === undefined || outcome.object === undefined) return
    const name = `${collection.source}/${outcome.object}`
    this.#links.set(name, [...(this.#links.get(name) ?? []), outcome.link])
  }
}

/** Records an outcome. After a change of teams, a mutation may be in two journals; an applied one stays applied despite the other's decision. */
function recordOutcome(sent: SentMutation, outcome: Outcome, { collection, lineage }: CollectionHistory): void {
  const wasApplied = sent.outcome?.status === 'applied'
  if (wasApplied && sent.decidedIn !== nameOf(collection)) return
  Object.assign(sent, { outcome, lineage, decidedIn: nameOf(collection), isDropped: false })
}
