import { type Mutation, type Outcome, type Push, SyncError } from '@godwit/protocol'
import type { Source } from '@godwit/source'
import type { Acceptances, CollectionId, JournalEntry, SettledMutation } from '@godwit/store'
import { takeUpTo } from '@godwit/store/history'
import type { DeviceEngine } from '../device-engine.js'
import { clientForked } from './refused-push.js'
import { relinkContent } from './without-content.js'

/** The journal's reply to a push that it accepts. */
export type AcceptedPush = Exclude<Acceptances, { readonly refused: unknown }>

/** An accepted push, with the mutations that were settled for it. */
export interface OutcomesContext {
  /** The id of the client that pushes. */
  readonly client: string
  readonly push: Push
  readonly accepted: AcceptedPush
  /** The mutations that this request settled. */
  readonly settled: readonly SettledMutation[]
}

/** The number of outcomes in a response at most. */
const MAX_OUTCOMES = 1000

/** Returns the outcomes for a push response, reading the store only if this request did not decide all of them. */
export async function outcomesOf(
  engine: DeviceEngine,
  { passThrough }: Source,
  collection: CollectionId,
  answering: OutcomesContext,
): Promise<readonly Outcome[]> {
  if (passThrough) return addCreated(await readOutcomes(engine, collection, answering), answering.push)
  return outcomesOfRequest(answering) ?? readOutcomes(engine, collection, answering)
}

/** Returns the outcomes that this request decided, if these are all that the device has not acknowledged, and fit into an answer; the store is then not read. */
function outcomesOfRequest({
  accepted: { last },
  push: { acknowledged, mutations },
  settled,
}: OutcomesContext): readonly Outcome[] | undefined {
  if (last !== acknowledged || settled.length !== mutations.length) return undefined
  const outcomes = settled.map(({ outcome }) => outcome).sort((a, b) => (a.outcome ?? 0) - (b.outcome ?? 0))
  if (!outcomes.every(({ outcome }, index) => outcome === last + index + 1)) return undefined
  // The store reads those that fit.
  const { taken } = takeUpTo(outcomes, outcomes.length, outcome => Buffer.byteLength(JSON.stringify(outcome)))
  return taken.length === outcomes.length ? outcomes : undefined
}

/**
 * Returns all unacknowledged outcomes, then the state of the request's undecided mutations, as the device may have forgotten them. Throws
 * `client_forked` if the device acknowledged a decided mutation's outcome number for another one: the store has lost data.
 */
async function readOutcomes(
  engine: DeviceEngine,
  collection: CollectionId,
  answering: OutcomesContext,
): Promise<readonly Outcome[]> {
  const { journal, collections } = engine.store
  const { acknowledged, mutations } = answering.push
  const given = await unacknowledged(engine, collection, answering)
  const unreported = mutations.filter(isUnreported(given))
  if (unreported.length === 0) return given
  // `queued` is a promise, so it must be on disk.
  await journal.flush(collection)
  const keys = unreported.map(({ key }) => key)
  const entries = await journal.entries(collection, keys)
  if (entries.some(({ state, outcome }) => state === 'decided' && (outcome?.outcome ?? 0) <= acknowledged))
    throw clientForked()
  if (entries.length < new Set(keys).size) throw acceptanceLostError()
  // A worker decided one meanwhile, perhaps after others that the device must get first: all are read again.
  const isStale = entries.some(({ state }) => state === 'decided')
  const reported = isStale ? await unacknowledged(engine, collection, answering) : given
  const version = (await collections.head(collection))?.version ?? 0
  const left = entries.filter(entry => isUnreported(reported)(entry.mutation))
  return [...reported, ...left.map(entry => undecidedOutcome(entry, version))]
}

/** Returns the first outcomes that the device has not acknowledged. */
async function unacknowledged(
  { store }: DeviceEngine,
  collection: CollectionId,
  { client, push: { acknowledged } }: OutcomesContext,
): Promise<readonly Outcome[]> {
  const page = { after: acknowledged, limit: MAX_OUTCOMES }
  return (await store.journal.outcomes(collection, client, page)).outcomes
}

function isUnreported(outcomes: readonly Outcome[]): (mutation: Mutation) => boolean {
  const reported = new Set(outcomes.map(({ number }) => number))
  return ({ number }) => !reported.has(number)
}

/** The error if an accepted mutation is not in the journal: without its outcome the device would take it for accepted. */
const acceptanceLostError = (): SyncError =>
  new SyncError('store_unavailable', 'The store could not record the push. Send it again.')

/** Adds the attributes of created objects, which the journal of a pass-through source does not store but the request contains. */
function addCreated(outcomes: readonly Outcome[], { mutations }: Push): readonly Outcome[] {
  const creates = new Map(mutations.filter(({ operation }) => operation === 'create').map(one => [one.number, one]))
  return outcomes.map(outcome => {
    const create = outcome.status === 'applied' ? creates.get(outcome.number) : undefined
    return create ? { ...outcome, attributes: relinkContent(create, outcomes).attributes ?? {} } : outcome
  })
}

/**
 * Returns the state of a mutation whose outcome the response does not have: it is undecided, or more outcomes precede it than fit. It has no outcome
 * number, since it decides nothing.
 */
function undecidedOutcome({ state, mutation: { number }, outcome }: JournalEntry, version: number): Outcome {
  if (state !== 'in_doubt') return { number, status: 'queued', version }
  return { number, status: 'in_doubt', version, ...(outcome?.error && { error: outcome.error }) }
}
