import type { Mutation, ObjectId, Outcome } from '@godwit/protocol'
import type { CollectionId } from '../collections.js'
import { type FirstStart, type OwnerCreate, outcomeWithoutContent, takeUpTo, withoutContent } from '../history/index.js'
import type { JournalEntry, MutationState } from '../journal.js'
import type { Outcomes } from '../outcomes.js'

/** A mutation in the journal, with fields that `JournalEntry` does not show. */
export interface BookEntry {
  readonly sequence: number
  readonly user: string
  readonly contentless: boolean
  client: string
  mutation: Mutation
  state: MutationState
  attempts: number
  outcome?: Outcome | undefined
  /** The fence of its last start; 0 if never started. */
  fence: number
  startedUntil: number
  /** The time of its last start or release. */
  waitsSince: number
  retryAt?: number | undefined
  first?: FirstStart | undefined
}

/** The journal's data of one client: its numbers with their keys, and its unacknowledged outcomes. */
export interface ClientPage {
  acknowledged: number
  outcomes: number
  highest: number
  readonly keys: Map<number, string>
  /** Keys by outcome number. */
  readonly given: Map<number, string>
}

/** The journal of one collection. */
export class JournalBook {
  readonly entries = new Map<string, BookEntry>()
  /** Undecided entries, in order of acceptance. */
  readonly undecided = new Set<BookEntry>()
  /** Creates by temporary id, in order of acceptance. */
  readonly #creates = new Map<ObjectId, readonly BookEntry[]>()
  readonly #clients = new Map<string, ClientPage>()
  #sequence = 0

  client(name: string): ClientPage {
    const found = this.#clients.get(name)
    if (found) return found
    const page: ClientPage = { acknowledged: 0, outcomes: 0, highest: 0, keys: new Map(), given: new Map() }
    this.#clients.set(name, page)
    return page
  }

  /** Returns the create of a temporary id. Two devices may have created the same one: the later create wins. */
  createOf(temporary: ObjectId): OwnerCreate | undefined {
    const entry = this.#creates.get(temporary)?.at(-1)
    return entry && { key: entry.mutation.key, state: entry.state, outcome: entry.outcome }
  }

  /** True if the object has a started mutation. */
  isCalled(object: ObjectId): boolean {
    for (const { state, mutation } of this.undecided) if (state === 'started' && mutation.object === object) return true
    return false
  }

  /** Returns undecided mutations that name the object of a create, in order of acceptance. */
  dependentsOf({ mutation: { operation, object } }: BookEntry): readonly BookEntry[] {
    if (operation !== 'create') return []
    return [...this.undecided].filter(({ mutation }) => mutation.owners?.includes(object))
  }

  add(fresh: Omit<BookEntry, 'sequence' | 'attempts' | 'fence' | 'startedUntil' | 'waitsSince'>): BookEntry {
    const times = { startedUntil: 0, waitsSince: 0 }
    const entry: BookEntry = { ...fresh, sequence: ++this.#sequence, attempts: 0, fence: 0, ...times }
    this.entries.set(entry.mutation.key, entry)
    this.undecided.add(entry)
    const { operation, object } = entry.mutation
    if (operation === 'create') this.#creates.set(object, [...(this.#creates.get(object) ?? []), entry])
    this.#count(entry)
    return entry
  }

  /** Moves an entry to another client or number; its outcome gets a new number there. */
  move(entry: BookEntry, client: string, number: number): void {
    const { outcome } = entry
    this.takeOutcome(entry)
    entry.client = client
    entry.mutation = { ...entry.mutation, number }
    this.#count(entry)
    if (outcome) this.giveOutcome(entry, { ...outcome, number })
  }

  #count({ client, mutation }: BookEntry): void {
    const page = this.client(client)
    page.keys.set(mutation.number, mutation.key)
    page.highest = Math.max(page.highest, mutation.number)
  }

  nextOutcome(client: string): number {
    return this.client(client).outcomes + 1
  }

  /** Gives an entry an outcome with the next number of its client, in place of an earlier one. */
  giveOutcome(entry: BookEntry, outcome: Outcome): void {
    this.takeOutcome(entry)
    const page = this.client(entry.client)
    const number = ++page.outcomes
    page.given.set(number, entry.mutation.key)
    entry.outcome = { ...outcome, outcome: number }
  }

  takeOutcome(entry: BookEntry): void {
    if (entry.outcome?.outcome !== undefined) this.client(entry.client).given.delete(entry.outcome.outcome)
    entry.outcome = undefined
  }

  outcomes(client: string, after: number, limit: number): Outcomes {
    const page = this.#clients.get(client)
    const keys = [...(page?.given ?? [])].filter(([number]) => number > after)
    const all = keys.flatMap(([, key]) => this.entries.get(key)?.outcome ?? [])
    const { taken, more } = takeUpTo(all, limit, outcome => Buffer.byteLength(JSON.stringify(outcome)))
    return { outcomes: taken, last: page?.outcomes ?? 0, more }
  }

  acknowledge(client: string, through: number): void {
    const page = this.#clients.get(client)
    if (!page || through > page.outcomes || through <= page.acknowledged) return
    page.acknowledged = through
    for (const [number, key] of page.given) {
      if (number > through) break
      page.given.delete(number)
      const entry = this.entries.get(key)
      if (entry?.state === 'decided') this.#empty(entry)
    }
  }

  #empty(entry: BookEntry): void {
    entry.mutation = withoutContent(entry.mutation)
    entry.outcome = entry.outcome && outcomeWithoutContent(entry.outcome)
    entry.first = undefined
  }

  dropClient(client: string): void {
    const page = this.#clients.get(client)
    if (page === undefined) return
    page.acknowledged = page.outcomes + 1
    page.keys.clear()
    page.given.clear()
    for (const [key, entry] of this.entries) {
      if (entry.client !== client || entry.state !== 'decided') continue
      this.entries.delete(key)
      this.#forgetCreate(entry)
    }
  }

  #forgetCreate(entry: BookEntry): void {
    const { object } = entry.mutation
    const others = this.#creates.get(object)?.filter(create => create !== entry) ?? []
    if (others.length > 0) this.#creates.set(object, others)
    else this.#creates.delete(object)
  }
}

/** Converts an entry for the store interface. */
export function toJournalEntry(entry: BookEntry, collection: CollectionId): JournalEntry {
  const { client, user, sequence, mutation, state, attempts, outcome } = entry
  return { collection, client, user, sequence, mutation, state, attempts, ...(outcome && { outcome }) }
}
