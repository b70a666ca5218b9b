import { type Outcome, type Push, type Pushed, SyncError } from '@godwit/protocol'
import type { Acceptances, CollectionId, JournalEntry, Settled } from '@godwit/store'
import type { Engine } from '../engine.js'
import { askToDrain } from '../jobs/ask.js'
import { refuseKeeping } from '../pass-through/refuse-content.js'
import { collectionOf } from '../sources/partition-of.js'
import { cudQueueOf } from '../sources/queue-of.js'
import { messageOf } from '../sources/refusal.js'
import type { Source } from '../sources/source.js'
import { type ClientRecord, notePlace } from '../users/client-record.js'
import { drain, drainFreed, mayDrainNow } from './drain.js'
import { relinked } from './without-content.js'

/** What a device sends to one source. */
export interface PushRequest {
  readonly source: string
  /** The login. */
  readonly user: string
  readonly client: ClientRecord
  readonly push: Push
}

/** Outcomes an answer carries at most. */
const OUTCOMES = 1000

/** A batch of mutations: accept → run each object's in order, or leave them to the workers of a queue → outcomes. */
export async function push(engine: Engine, { source: name, user, client, push }: PushRequest): Promise<Pushed> {
  const source = await engine.sources.learn(name)
  refuseKeeping(source, push.pass_through ?? false)
  const collection = collectionOf(source, user)
  const { epoch } = push
  const begun = performance.now()
  await notePlace(engine.store, client, collection)
  const accepted = await accept(engine, source, collection, { client: client.id, user, push })
  const queue = cudQueueOf(source)
  const settled = queue === null ? await drainInTime(engine, source, collection, { accepted, push }) : []
  if (queue !== null && accepted.entries.some(isQueued)) await askToDrain(engine, queue, collection)
  const inHand = source.passThrough ? undefined : decidedHere(accepted, push, settled)
  const outcomes = inHand ?? (await outcomesFor(engine, collection, client.id, push))
  engine.metrics.push.observe((performance.now() - begun) / 1000)
  return { epoch, outcomes: source.passThrough ? withCreated(outcomes, push) : outcomes }
}

interface Accepting {
  readonly client: string
  readonly user: string
  readonly push: Push
}

type Accepted = Exclude<Acceptances, { readonly refused: unknown }>

async function accept(
  { store }: Engine,
  source: Source,
  collection: CollectionId,
  { client, user, push }: Accepting,
): Promise<Accepted> {
  const accepted = await store.journal.accept(collection, {
    client,
    user,
    epoch: push.epoch,
    acknowledged: push.acknowledged,
    mutations: push.mutations,
    idempotent: source.idempotent,
    contentless: source.passThrough,
  })
  if (!('refused' in accepted)) return accepted
  if (accepted.refused === 'epoch') throw epochChanged((await store.collections.open(collection)).epoch)
  throw accepted.refused === 'gap' ? gap(accepted.expected) : forked()
}

interface Draining {
  readonly accepted: Accepted
  readonly push: Push
}

/** Runs them, but answers in time: the rest goes on behind. What was settled by then. */
async function drainInTime(
  engine: Engine,
  source: Source,
  collection: CollectionId,
  { accepted: { entries }, push: { epoch, mutations } }: Draining,
): Promise<readonly Settled[]> {
  const queued = entries.filter(isQueued)
  if (queued.length === 0 || !(await mayDrainNow(engine, source, { collection, epoch }))) return []
  const contents = source.passThrough ? new Map(mutations.map(mutation => [mutation.key, mutation])) : undefined
  const settled: Settled[] = []
  const run = async (): Promise<void> => {
    await drain(engine, source, queued, { contents, heard: one => settled.push(one) })
    if (settled.every(({ left }) => left)) await drainFreed(engine, source, collection, { drained: queued })
  }
  const draining = run()
  draining.catch(error =>
    engine.log.error({ source: source.name, error: messageOf(error) }, 'a journal was not drained'),
  )
  await withinSeconds(draining, engine.limits.pushWait)
  return settled
}

const isQueued = ({ state }: JournalEntry): boolean => state === 'queued'

async function withinSeconds(run: Promise<void>, seconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>(resolve => {
    timer = setTimeout(resolve, seconds * 1000)
  })
  await Promise.race([run, over]).finally(() => clearTimeout(timer))
}

/** The outcomes of what this request itself decided, if those are all that its device has not heard of: then nobody need ask for them. */
function decidedHere(
  { last }: Accepted,
  { acknowledged, mutations }: Push,
  settled: readonly Settled[],
): readonly Outcome[] | undefined {
  if (last !== acknowledged || settled.length !== mutations.length) return undefined
  const outcomes = settled.map(({ outcome }) => outcome).sort((a, b) => (a.outcome ?? 0) - (b.outcome ?? 0))
  return outcomes.every(({ outcome }, index) => outcome === last + index + 1) ? outcomes : undefined
}

/**
 * All outcomes that the device has not acknowledged, then what is still undecided of its request: one in doubt is told again, a device may have
 * forgotten. Who asks about something decided but has acknowledged its outcome heard another one under that number: the store has lost that.
 */
async function outcomesFor(
  { store }: Engine,
  collection: CollectionId,
  client: string,
  { acknowledged, mutations }: Push,
): Promise<readonly Outcome[]> {
  const { outcomes: given } = await store.journal.outcomes(collection, client, { after: acknowledged, limit: OUTCOMES })
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
    throw forked()
  const version = (await store.collections.head(collection))?.version ?? 0
  return [...given, ...entries.flatMap(entry => undecided(entry, version))]
}

/** The journal of a pass_through source cannot tell the object that was made; the request that brings it can. */
function withCreated(outcomes: readonly Outcome[], { mutations }: Push): readonly Outcome[] {
  const creates = new Map(mutations.filter(({ operation }) => operation === 'create').map(one => [one.number, one]))
  return outcomes.map(outcome => {
    const create = outcome.status === 'applied' ? creates.get(outcome.number) : undefined
    return create ? { ...outcome, attributes: relinked(create, outcomes).attributes ?? {} } : outcome
  })
}

/** Without a number of its own: it tells how the mutation stands, and decides nothing. */
function undecided({ state, mutation: { number }, outcome }: JournalEntry, version: number): readonly Outcome[] {
  if (state === 'decided') return []
  if (state !== 'in_doubt') return [{ number, status: 'queued', version }]
  return [{ number, status: 'in_doubt', version, ...(outcome?.error && { error: outcome.error }) }]
}

const epochChanged = (epoch: string): SyncError =>
  new SyncError('epoch_changed', 'The collection was made anew since the epoch that the push names. Pull first.', {
    details: { epoch },
  })

const gap = (expected: number): SyncError =>
  new SyncError(
    'mutation_gap',
    `Mutation ${expected} is expected next. Take a new client id and send what is undecided again.`,
    {
      details: { expected },
    },
  )

const forked = (): SyncError =>
  new SyncError(
    'client_forked',
    'The journal knows another history of this client. Take a new client id and send what is undecided again.',
  )
