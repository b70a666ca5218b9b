import type { Outcome, PartitionParameters, Push, PushOutcomes } from '@godwit/protocol'
import type { Source } from '@godwit/source'
import type { CollectionId, JournalEntry } from '@godwit/store'
import { type ClientRecord, recordCollection } from '../../accounts/users/client-record.js'
import { notAllowedError } from '../../backend/partitions/access.js'
import type { DeviceEngine } from '../device-engine.js'
import { outcomesOf } from './outcomes-of.js'
import { clientForked, mutationGap } from './refused-push.js'
import { reportDecision, reportPush } from './reports.js'
import { settleMutation } from './settle-mutation.js'

/** A push to a partition that its user may not see. */
export interface RefusedPartitionPush {
  readonly collection: CollectionId
  readonly parameters: PartitionParameters
  readonly user: string
  readonly client: ClientRecord
  readonly push: Push
}

/**
 * Decides the mutations of a push to a partition that the user may not see: a new one is refused, so that its number is used up and the device goes on;
 * a known one is answered with its outcome, without content. A push that names another epoch is `partition_not_allowed`.
 */
export async function refusePush(
  engine: DeviceEngine,
  source: Source,
  { collection, parameters, user, client, push }: RefusedPartitionPush,
): Promise<PushOutcomes> {
  const { store } = engine
  const head = await store.collections.head(collection)
  if (head?.epoch !== push.epoch) throw notAllowedError(source.name, parameters)
  await recordCollection(store, client, collection)
  const accepted = await store.journal.accept(collection, {
    client: client.id,
    user,
    epoch: push.epoch,
    acknowledged: push.acknowledged,
    mutations: push.mutations,
    idempotent: source.idempotent,
  })
  if ('refused' in accepted) {
    if (accepted.refused === 'epoch') throw notAllowedError(source.name, parameters)
    throw accepted.refused === 'gap' ? mutationGap(accepted.expected) : clientForked()
  }
  const { message } = notAllowedError(source.name, parameters)
  for (const entry of accepted.entries) if (isUnstarted(entry)) await refuse(engine, entry, push.epoch, message)
  const given = { client: client.id, push, accepted, settled: [] }
  const outcomes = (await outcomesOf(engine, source, collection, given)).map(withoutContents)
  reportPush(engine, { collection, user, client: client.id, sent: push.mutations, outcomes })
  return { epoch: push.epoch, outcomes }
}

/** A mutation that was started before was judged then. */
const isUnstarted = ({ state, attempts }: JournalEntry): boolean => state === 'queued' && attempts === 0

async function refuse(engine: DeviceEngine, entry: JournalEntry, epoch: string, message: string): Promise<void> {
  const error = { code: 'partition_not_allowed', message }
  const ask = entry.mutation.sent === true
  const settled = await settleMutation(engine, entry, { epoch, status: 'refused', error, ask })
  if (!('refused' in settled)) reportDecision(engine, entry, settled.outcome)
}

const withoutContents = ({ attributes, overwrote, moved, ...outcome }: Outcome): Outcome => outcome
