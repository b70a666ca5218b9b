import { type Outcome, type Push, SyncError } from '@godwit/protocol'
import type { Acceptances, CollectionId, JournalEntry, SettledMutation } from '@godwit/store'
import type { Engine } from '../engine.js'
import type { Source } from '../sources/source.js'
import { clientForked } from './refused-push.js'
import { relinkContent } from './without-content.js'

/** What a journal says to a push that it takes. */
export type AcceptedPush = Exclude<Acceptances, { readonly refused: unknown }>

/** A push that was accepted, with what was settled for it. */
export interface OutcomesContext {
  /** The id of the client that pushes. */
  readonly client: string
  readonly push: Push
  readonly accepted: AcceptedPush
  /** What was settled for it. */
  readonly settled: readonly SettledMutation[]
}

/** Outcomes an answer carries at most. */
const MAX_OUTCOMES = 1000

/** What a push is answered: what its device has not heard of yet. The store is asked only where this request does not know it. */
export async function outcomesOf(
  engine: Engine,
  { passThrough }: Source,
  collection: CollectionId,
  answering: OutcomesContext,
): Promise<readonly Outcome[]> {
  if (passThrough) return addCreated(await readOutcomes(engine, collection, answering), answering.push)
  return outcomesOfRequest(answering) ?? readOutcomes(engine, collection, answering)
}

/** The outcomes that this request decided, if they are all that its device has not acknowledged: the store need not be asked then. */
function outcomesOfRequest({
  accepted: { last },
  push: { acknowledged, mutations },
  settled,
}: OutcomesContext): readonly Outcome[] | undefined {
  if (last !== acknowledged || settled.length !== mutations.length) return undefined
  const outcomes = settled.map(({ outcome }) => outcome).sort((a, b) => (a.outcome ?? 0) - (b.outcome ?? 0))
  return outcomes.every(({ outcome }, index) => outcome === last + index + 1) ? outcomes : undefined
}

/**
 * All outcomes that the device has not acknowledged, then what is still undecided of its request: one in doubt is told again, a device may have
 * forgotten. Who asks about something decided but has acknowledged its outcome heard another one under that number: the store has lost that.
 */
async function readOutcomes(
  { store }: Engine,
  collection: CollectionId,
  { client, push: { acknowledged, mutations } }: OutcomesContext,
): Promise<readonly Outcome[]> {
  const { outcomes: given } = await store.journal.outcomes(collection, client, {
    after: acknowledged,
    limit: MAX_OUTCOMES,
  })
  const told = new Set(given.map(({ number }) => number))
  const untold = mutations.filter(({ number }) => !told.has(number))
  if (untold.length === 0) return given
  // `queued` is a promise: it must be on disk.
  await store.journal.flush(collection)
  const entries = await store.journal.entries(
    collection,
    untold.map(({ key }) => key),
  )
  if (entries.some(({ state, outcome }) => state === 'decided' && (outcome?.outcome ?? 0) <= acknowledged))
    throw clientForked()
  if (entries.length < new Set(untold.map(({ key }) => key)).size) throw acceptanceLostError()
  const version = (await store.collections.head(collection))?.version ?? 0
  return [...given, ...entries.flatMap(entry => undecidedOutcome(entry, version))]
}

/** What was accepted a moment ago is on no disk: an answer without it would be taken for an acceptance. */
const acceptanceLostError = (): SyncError =>
  new SyncError('store_unavailable', 'The store could not keep what was pushed. Send it again.')

/** The journal of a pass_through source cannot tell the object that was made; the request that brings it can. */
function addCreated(outcomes: readonly Outcome[], { mutations }: Push): readonly Outcome[] {
  const creates = new Map(mutations.filter(({ operation }) => operation === 'create').map(one => [one.number, one]))
  return outcomes.map(outcome => {
    const create = outcome.status === 'applied' ? creates.get(outcome.number) : undefined
    return create ? { ...outcome, attributes: relinkContent(create, outcomes).attributes ?? {} } : outcome
  })
}

/** The outcome of an undecided mutation. It has no number, since it tells a state and decides nothing. */
function undecidedOutcome({ state, mutation: { number }, outcome }: JournalEntry, version: number): readonly Outcome[] {
  if (state === 'decided') return []
  if (state !== 'in_doubt') return [{ number, status: 'queued', version }]
  return [{ number, status: 'in_doubt', version, ...(outcome?.error && { error: outcome.error }) }]
}
