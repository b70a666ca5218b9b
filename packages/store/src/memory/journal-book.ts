import type { Mutation, ObjectId, Outcome } from '@godwit/protocol'
import type { CollectionId } from '../collections.js'
import { type FirstStart, outcomeWithoutContent, withoutContent } from '../history/index.js'
import type { JournalEntry, MutationState } from '../journal.js'

/** A mutation in the book: what `JournalEntry` shows, and what only the store needs. */
export interface BookEntry {
  readonly sequence: number
  readonly user: string
  readonly contentless: boolean
  client: string
  mutation: Mutation
  state: MutationState
  attempts: number
  outcome?: Outcome | undefined
  /** Of its last start; 0: never started. */
  fence: number
  startedUntil: number
  retryAt?: number | undefined
  first?: FirstStart | undefined
}

/** What the journal keeps of one client: numbers and keys for ever, outcomes until they are acknowledged. */
export interface ClientPage {
  acknowledged: number
  outcomes: number
  highest: number
  readonly keys: Map<number, string>
  /** Outcome number → key. */
  readonly given: Map<number, string>
}

/** The journal of one collection. */
export class JournalBook {
  readonly entries = new Map<string, BookEntry>()
  readonly undecided = new Set<BookEntry>()
  readonly #creates = new Map<ObjectId, BookEntry>()
  readonly #clients = new Map<string, ClientPage>()
  #sequence = 0

  client(name: string): ClientPage {
    const found = this.#clients.get(name)
    if (found) return found
    const page: ClientPage = { acknowledged: 0, outcomes: 0, highest: 0, keys: new Map(), given: new Map() }
    this.#clients.set(name, page)
    return page
  }

  /** The create behind a temporary id. */
  createOf(temporary: ObjectId): (BookEntry & { readonly key: string }) | undefined {
    const entry = this.#creates.get(temporary)
    return entry && { ...entry, key: entry.mutation.key }
  }

  add(fresh: Omit<BookEntry, 'sequence' | 'attempts' | 'fence' | 'startedUntil'>): BookEntry {
    const entry: BookEntry = { ...fresh, sequence: ++this.#sequence, attempts: 0, fence: 0, startedUntil: 0 }
    this.entries.set(entry.mutation.key, entry)
    this.undecided.add(entry)
    if (entry.mutation.operation === 'create') this.#creates.set(entry.mutation.object, entry)
    this.#count(entry)
    return entry
  }

  /** Under another client or number; what the former place had of it goes. */
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

  /** Under the next number of its client; it takes the place of an earlier one. */
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

  outcomes(client: string, after: number, limit: number): readonly Outcome[] {
    const given = this.#clients.get(client)?.given ?? new Map<number, string>()
    const keys = [...given].filter(([number]) => number > after).slice(0, limit)
    return keys.flatMap(([, key]) => this.entries.get(key)?.outcome ?? [])
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
    this.#clients.delete(client)
    for (const [key, entry] of this.entries) {
      if (entry.client !== client || entry.state !== 'decided') continue
      this.entries.delete(key)
      if (this.#creates.get(entry.mutation.object) === entry) this.#creates.delete(entry.mutation.object)
    }
  }
}

/** As the interface shows it. */
export function shown(entry: BookEntry, collection: CollectionId): JournalEntry {
  const { client, user, sequence, mutation, state, attempts, outcome } = entry
  return { collection, client, user, sequence, mutation, state, attempts, ...(outcome && { outcome }) }
}
