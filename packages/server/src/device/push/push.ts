import type { Push, PushOutcomes } from '@godwit/protocol'
import { messageOf, type Source } from '@godwit/source'
import type { CollectionId, JournalEntry, SettledMutation } from '@godwit/store'
import { checkOutcomeQuota } from '../../accounts/quota/quota-exceeded.js'
import { type ClientRecord, recordCollection } from '../../accounts/users/client-record.js'
import { openCollection } from '../../accounts/users/open-collection.js'
import { enqueueDrain } from '../../backend/jobs/enqueue.js'
import { isAllowed } from '../../backend/partitions/access.js'
import { collectionOfRequest } from '../../backend/partitions/resolve-partition.js'
import { checkPassThroughOption } from '../../backend/pass-through/refuse-content.js'
import { cudQueueOf } from '../../backend/sources/queue-of.js'
import { holdBlobs } from '../blobs/hold-blobs.js'
import type { DeviceEngine } from '../device-engine.js'
import { drain, drainFreed } from './drain.js'
import { mayDrain } from './may-drain.js'
import { type AcceptedPush, outcomesOf } from './outcomes-of.js'
import { refusePush } from './refuse-push.js'
import { clientForked, epochChanged, mutationGap } from './refused-push.js'
import { reportPush } from './reports.js'

/** A device's push to one source. */
export interface PushRequest {
  readonly source: string
  /** The login. */
  readonly user: string
  readonly client: ClientRecord
  readonly push: Push
}

/** Runs a push: accept the mutations → run each object's in order, or enqueue them for workers → return the outcomes. */
export async function push(
  engine: DeviceEngine,
  { source: name, user, client, push }: PushRequest,
): Promise<PushOutcomes> {
  const source = await engine.sources.learn(name, user)
  checkPassThroughOption(source, push.pass_through ?? false)
  const collection = collectionOfRequest(source, { user, parameters: push.parameters })
  const { epoch } = push
  if (push.parameters !== undefined && !(await isAllowed(engine, source, { user, parameters: push.parameters })))
    return refusePush(engine, source, { collection, parameters: push.parameters, user, client, push })
  const begun = performance.now()
  await checkOutcomeQuota(engine, collection, { client: client.id, push })
  await recordCollection(engine.store, client, collection)
  const accepted = await acceptMutations(engine, source, collection, { client: client.id, user, push })
  const queue = cudQueueOf(source)
  const settled =
    queue === null ? await drainInTime(engine, source, collection, { accepted, push, client: client.id }) : []
  if (queue !== null && accepted.entries.some(isQueued)) await enqueueDrain(engine, queue, collection)
  const outcomes = await outcomesOf(engine, source, collection, { client: client.id, push, accepted, settled })
  engine.metrics.push.observe((performance.now() - begun) / 1000)
  reportPush(engine, { collection, user, client: client.id, sent: push.mutations, outcomes })
  return { epoch, outcomes }
}

interface AcceptContext {
  readonly client: string
  readonly user: string
  readonly push: Push
}

async function acceptMutations(
  engine: DeviceEngine,
  source: Source,
  collection: CollectionId,
  { client, user, push }: AcceptContext,
): Promise<AcceptedPush> {
  const { store } = engine
  const blobHolds = await holdBlobs(engine, collection, push.mutations)
  const accepted = await store.journal.accept(collection, {
    client,
    user,
    epoch: push.epoch,
    acknowledged: push.acknowledged,
    mutations: push.mutations,
    idempotent: source.idempotent,
    contentless: source.passThrough,
  })
  if (!('refused' in accepted)) {
    await blobHolds.accepted()
    return accepted
  }
  await blobHolds.release()
  if (accepted.refused === 'epoch') throw epochChanged((await openCollection(store, user, collection)).epoch)
  throw accepted.refused === 'gap' ? mutationGap(accepted.expected) : clientForked()
}

interface PushDrainContext {
  /** The id of the client that pushes. */
  readonly client: string
  readonly accepted: AcceptedPush
  readonly push: Push
}

/** Runs the mutations, and returns those settled before the response is due; the rest continues in the background. */
async function drainInTime(
  engine: DeviceEngine,
  source: Source,
  collection: CollectionId,
  { accepted: { entries, queried }, push: { mutations, acknowledged }, client }: PushDrainContext,
): Promise<readonly SettledMutation[]> {
  const queued = entries.filter(isQueued)
  if (queued.length === 0 || !(queried || (await mayBegin(engine, source, collection)))) return []
  const contents = source.passThrough
    ? new Map(mutations.map(mutation => [mutation.key, { mutation, acknowledged }]))
    : undefined
  const settled: SettledMutation[] = []
  // Until the response is sent, it reports to the client all that is settled.
  let waiting: string | undefined = client
  const run = async (): Promise<void> => {
    await drain(engine, source, queued, { contents, onSettled: one => settled.push(one), waitingClient: () => waiting })
    if (settled.every(({ left }) => left)) await drainFreed(engine, source, collection, { drained: queued })
  }
  const draining = run()
  draining.catch(error =>
    engine.log.error({ source: source.name, error: messageOf(error) }, 'could not drain a journal'),
  )
  await engine.timers.within(draining, engine.limits.pushWait * 1000)
  waiting = undefined
  return settled
}

async function mayBegin({ store }: DeviceEngine, source: Source, collection: CollectionId): Promise<boolean> {
  const head = await store.collections.head(collection)
  return head !== undefined && mayDrain(source, head)
}

const isQueued = ({ state }: JournalEntry): boolean => state === 'queued'
