import {
  type Attributes,
  ERROR_CODES,
  type ObjectId,
  type Outcome,
  type OutcomeStatus,
  type SourceError,
} from '@godwit/protocol'
import type { StoredObjectState } from '../collections.js'
import { changesByObject, mayDecide, outcomeOf, rewriteIds, settledWrite, storedId } from '../history/index.js'
import type { MovedObject, SettledMutation, Settlement } from '../journal.js'
import type { BookEntry } from './journal-book.js'
import type { MemoryCollection } from './memory-collection.js'

/**
 * Writes changes, outcome and dependents in one synchronous step. Returns undefined if it is already decided, or the fence is not of its last start.
 */
export function settle(collection: MemoryCollection, entry: BookEntry, given: Settlement): SettledMutation | undefined {
  if (!mayDecide(entry, given.fence)) return undefined
  const settlement = withStoredIds(given)
  const target = settlement.write?.object ?? settlement.link ?? entry.mutation.object
  const before = collection.present(target)
  const { spared, asks } = applyWrite(collection, entry, settlement, before)
  const isRequested = settlement.ask || asks
  if (isRequested) collection.requestQuery()
  const queryRequest = collection.queriesRequested
  const { status, link, error, overwrote, moved } = settlement
  const outcome = decide(collection, entry, { status, link, error, overwrote, moved, target, before })
  const refusedDependents = passOn(collection, entry)
  return {
    outcome,
    version: collection.version,
    spared,
    refusedDependents,
    left: collection.journal.undecided.size > 0,
    ...(isRequested && { queryRequest }),
  }
}

function withStoredIds({ write, link, ...rest }: Settlement): Settlement {
  return {
    ...rest,
    ...(write && { write: { ...write, object: storedId(write.object) } }),
    ...(link !== undefined && { link: storedId(link) }),
  }
}

function applyWrite(
  collection: MemoryCollection,
  entry: BookEntry,
  { write, moved }: Settlement,
  present: StoredObjectState,
) {
  if (!write) return { spared: 0, asks: false }
  const facts = { object: entry.mutation.object, present, start: entry.first, isMoved: moved !== undefined }
  const { batch, spared, asks } = settledWrite(write, facts)
  const { user, client } = entry
  if (batch) collection.apply(changesByObject(batch), { origin: { kind: 'device', user, client } })
  return { spared, asks }
}

interface MutationDecision {
  readonly status: Exclude<OutcomeStatus, 'queued'>
  readonly link?: ObjectId | undefined
  readonly error?: SourceError | undefined
  readonly overwrote?: Attributes | undefined
  readonly moved?: MovedObject | undefined
  /** The object of the outcome, and its state before the write. */
  readonly target: ObjectId
  readonly before: StoredObjectState
}

/** Sets an entry's outcome; every status except `in_doubt` decides it. */
export function decide(
  collection: MemoryCollection,
  entry: BookEntry,
  { target, ...decision }: MutationDecision,
): Outcome {
  const { journal, version } = collection
  const facts = { outcome: journal.nextOutcome(entry.client), mutation: entry.mutation, version }
  const outcome = outcomeOf({ ...decision, ...facts, after: collection.present(target) })
  const { attributes, overwrote, ...contentless } = outcome
  entry.state = decision.status === 'in_doubt' ? 'in_doubt' : 'decided'
  if (entry.state === 'decided') journal.undecided.delete(entry)
  journal.giveOutcome(entry, entry.contentless ? contentless : outcome)
  return outcome
}

/** Decides a mutation as in doubt or refused, with a documented error code. */
function decideByCode(
  collection: MemoryCollection,
  entry: BookEntry,
  code: 'in_doubt' | 'depends_on_refused',
  error: SourceError = { code, message: ERROR_CODES[code] },
): void {
  const target = entry.mutation.object
  decide(collection, entry, { status: code, error, target, before: collection.present(target) })
}

/** Marks a mutation as in doubt and requests a query, since only that shows whether the backend applied it. */
export function doubt(collection: MemoryCollection, entry: BookEntry, error?: SourceError): void {
  collection.requestQuery()
  decideByCode(collection, entry, 'in_doubt', error)
}

/** Passes a decided create on to the mutations that name it. Returns how many it refused, directly or through others. */
function passOn(collection: MemoryCollection, entry: BookEntry): number {
  const dependents = collection.journal.dependentsOf(entry)
  if (entry.outcome?.status !== 'applied') return refuseDependents(collection, dependents)
  const links = new Map([[entry.mutation.object, entry.outcome.link ?? entry.mutation.object]])
  for (const dependent of dependents) dependent.mutation = rewriteIds(dependent.mutation, links)
  return 0
}

/** Refuses mutations with their dependents, depth first. A list instead of recursion, since a device may send long chains. */
function refuseDependents(collection: MemoryCollection, dependents: readonly BookEntry[]): number {
  const ahead = dependents.toReversed()
  let refused = 0
  for (let next = ahead.pop(); next; next = ahead.pop()) {
    if (next.state === 'decided') continue
    decideByCode(collection, next, 'depends_on_refused')
    ahead.push(...collection.journal.dependentsOf(next).toReversed())
    refused++
  }
  return refused
}
