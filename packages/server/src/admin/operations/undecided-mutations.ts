import { type RetryResult, SyncError, type UndecidedList, type UndecidedMutation } from '@godwit/protocol'
import { messageOf } from '@godwit/source'
import type { CollectionId, JournalEntry, Store } from '@godwit/store'
import { makeTargetDue } from '../../backend/partitions/other-partition.js'
import { DRAIN_CHANNEL } from '../../backend/sources/channels.js'
import { cudQueueOf } from '../../backend/sources/queue-of.js'
import { drain } from '../../device/push/drain.js'
import { mayDrain } from '../../device/push/may-drain.js'
import { settleMutation } from '../../device/push/settle-mutation.js'
import type { AdminEngine } from '../admin-engine.js'
import { retryOnce } from './retry-once.js'

type DecisionEngine = Pick<AdminEngine, 'store'>

/** The position of a mutation, encoded in its id so that an id is unique over all collections. */
interface MutationPosition {
  readonly collection: CollectionId
  readonly key: string
  readonly sequence: number
}

/** Lists undecided mutations of one state, in a stable order. */
export async function listUndecided(
  { store: { journal } }: DecisionEngine,
  { state = 'in_doubt', after, limit = 100 }: UndecidedList,
): Promise<readonly UndecidedMutation[]> {
  const facts: UndecidedMutation[] = []
  for (let cursor = after === undefined ? undefined : positionOf(after); facts.length < limit; ) {
    const entries = await journal.undecided({ state, after: cursor, limit: limit - facts.length })
    for (const entry of entries) facts.push(entryFacts(entry, state))
    const last = entries.at(-1)
    if (last === undefined) break
    cursor = { collection: last.collection, key: last.mutation.key, sequence: last.sequence }
  }
  return facts
}

/** Queues a mutation in doubt again, so that its source is called with the same key. Returns its outcome if it is decided in time. */
export async function retryUndecided(engine: AdminEngine, id: string): Promise<RetryResult> {
  const { journal, events } = engine.store
  const { entry, collection } = await findEntry(engine.store, id)
  const { key } = entry.mutation
  if (!(await retryOnce(engine, engine.sources.find(collection.source), entry))) throw notInDoubt(entry)
  const [released = entry] = await journal.entries(collection, [key])
  const running = runAgain(engine, released).catch(error =>
    engine.log.error({ source: collection.source, error: messageOf(error) }, 'could not retry a mutation'),
  )
  await engine.timers.within(running, engine.limits.pushWait * 1000)
  await events.publish(DRAIN_CHANNEL, { ...collection })
  const [now] = await journal.entries(collection, [key])
  return retryResult(now)
}

/** Runs the mutation in this request, unless it belongs to a worker queue or must wait for the first query; then a later drain runs it. */
async function runAgain(engine: AdminEngine, entry: JournalEntry): Promise<void> {
  const source = engine.sources.find(entry.collection.source)
  const head = await engine.store.collections.head(entry.collection)
  if (source === undefined || head === undefined || cudQueueOf(source) !== null || !mayDrain(source, head)) return
  if (!source.passThrough || engine.abandonedCalls.has(entry)) await drain(engine, source, [entry])
}

/** Returns the result of a retry; `queued` while the mutation is undecided. */
export function retryResult(entry: JournalEntry | undefined): RetryResult {
  if (entry?.outcome === undefined || (entry.state !== 'decided' && entry.state !== 'in_doubt'))
    return { status: 'queued' }
  const { status, link, error } = entry.outcome
  return {
    status: entry.state === 'in_doubt' ? 'in_doubt' : status,
    ...(link !== undefined && { link }),
    ...(error && { error }),
  }
}

/**
 * Refuses a mutation in doubt and those that depend on it; mutations that it blocked then run. Since the backend may have applied it, the partition
 * becomes due, even without polling.
 */
export async function discardUndecided(engine: AdminEngine, id: string): Promise<void> {
  const { store, sources } = engine
  const { entry, collection } = await findEntry(store, id)
  if (entry.state !== 'in_doubt') throw notInDoubt(entry)
  const epoch = (await store.collections.head(collection))?.epoch ?? ''
  const error = { code: 'discarded', message: 'An operator discarded the mutation. The backend may have applied it.' }
  const decision = { epoch, status: 'refused', error, ask: true } as const
  const source = engine.sources.find(collection.source)
  if (source?.by !== undefined) await makeTargetDue(engine, source, entry)
  const settled = await settleMutation({ store }, entry, decision)
  if ('refused' in settled) throw notInDoubt(entry)
  engine.objectReadings.serve(engine, { source: sources.find(collection.source), entry }, settled.queryRequest)
  await store.events.publish(DRAIN_CHANNEL, { ...collection })
}

/** Returns the journal entry of an id. Throws `mutation_not_found` if there is none. */
export async function findEntry(
  { journal }: Pick<Store, 'journal'>,
  id: string,
): Promise<{ readonly entry: JournalEntry; readonly collection: CollectionId }> {
  const { collection, key } = positionOf(id)
  const [entry] = await journal.entries(collection, [key])
  if (entry) return { entry, collection }
  throw new SyncError('mutation_not_found', `There is no mutation ${JSON.stringify(id)} in the journal.`)
}

/** The error for a decision on a mutation that is not in doubt. */
export const notInDoubt = ({ state }: JournalEntry): SyncError =>
  new SyncError(
    'value_not_allowed',
    `expected a mutation that is in doubt, got one that is ${state}. Nothing was changed.`,
  )

/** Returns the facts of a mutation without its content. */
export function entryFacts<State extends JournalEntry['state']>(
  { collection, client, user, mutation, attempts, outcome, sequence }: JournalEntry,
  state: State,
): Omit<UndecidedMutation, 'state'> & { readonly state: State } {
  const { key, operation, object } = mutation
  const error = outcome?.error ? { code: outcome.error.code, message: outcome.error.message } : null
  return {
    id: idOf({ collection, key, sequence }),
    state,
    ...collection,
    user,
    client,
    operation,
    object,
    key,
    attempts,
    error,
  }
}

const idOf = ({ collection: { source, partition }, key, sequence }: MutationPosition): string =>
  Buffer.from(JSON.stringify([source, partition, key, sequence])).toString('base64url')

function positionOf(id: string): MutationPosition {
  try {
    const [source, partition, key, sequence] = JSON.parse(Buffer.from(id, 'base64url').toString()) as unknown[]
    const isPlace = [source, partition, key].every(part => typeof part === 'string') && Number.isInteger(sequence)
    if (isPlace)
      return { collection: { source, partition } as CollectionId, key: key as string, sequence: sequence as number }
  } catch {}
  throw new SyncError(
    'mutation_not_found',
    `${JSON.stringify(id)} does not name a mutation. GET /rc/v1/mutations lists them.`,
  )
}
