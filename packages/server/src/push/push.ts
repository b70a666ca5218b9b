import { type Mutation, type Outcome, type Push, type Pushed, SyncError } from '@godwit/protocol'
import type { CollectionId, JournalEntry } from '@godwit/store'
import type { Engine } from '../engine.js'
import { askToDrain } from '../jobs/ask.js'
import { refuseKeeping } from '../pass-through/refuse-content.js'
import { collectionOf } from '../sources/partition-of.js'
import { cudQueueOf } from '../sources/queue-of.js'
import { messageOf } from '../sources/refusal.js'
import type { Source } from '../sources/source.js'
import { type ClientRecord, notePlace } from '../users/client-record.js'
import { drain, drainFreed, mayDrain } from './drain.js'
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
  const entries = await accept(engine, source, collection, { client: client.id, user, push })
  const queue = cudQueueOf(source)
  if (queue === null) await drainInTime(engine, source, collection, entries, push.mutations)
  else if (entries.some(({ state }) => state === 'queued')) await askToDrain(engine, queue, collection)
  const outcomes = await outcomesFor(engine, collection, client.id, push)
  engine.metrics.push.observe((performance.now() - begun) / 1000)
  return { epoch, outcomes: source.passThrough ? withCreated(outcomes, push) : outcomes }
}

interface Accepting {
  readonly client: string
  readonly user: string
  readonly push: Push
}

async function accept(
  { store }: Engine,
  source: Source,
  collection: CollectionId,
  { client, user, push }: Accepting,
): Promise<readonly JournalEntry[]> {
  const accepted = await store.journal.accept(collection, {
    client,
    user,
    epoch: push.epoch,
    acknowledged: push.acknowledged,
    mutations: push.mutations,
    idempotent: source.idempotent,
    contentless: source.passThrough,
  })
  if (!('refused' in accepted)) return accepted.entries
  if (accepted.refused === 'epoch') throw epochChanged((await store.collections.open(collection)).epoch)
  throw accepted.refused === 'gap' ? gap(accepted.expected) : forked()
}

/** Runs them, but answers in time: the rest goes on behind. */
async function drainInTime(
  engine: Engine,
  source: Source,
  collection: CollectionId,
  entries: readonly JournalEntry[],
  mutations: readonly Mutation[],
): Promise<void> {
  const queued = entries.filter(({ state }) => state === 'queued')
  if (queued.length === 0) return
  const head = await engine.store.collections.head(collection)
  if (head === undefined || !mayDrain(source, head)) return
  const contents = source.passThrough ? new Map(mutations.map(mutation => [mutation.key, mutation])) : undefined
  const draining = drain(engine, source, queued, { contents }).then(() =>
    drainFreed(engine, source, collection, { drained: queued }),
  )
  draining.catch(error =>
    engine.log.error({ source: source.name, error: messageOf(error) }, 'a journal was not drained'),
  )
  await withinSeconds(draining, engine.limits.pushWait)
}

async function withinSeconds(run: Promise<void>, seconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>(resolve => {
    timer = setTimeout(resolve, seconds * 1000)
  })
  await Promise.race([run, over]).finally(() => clearTimeout(timer))
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
