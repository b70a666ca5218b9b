import { isSyncError, type SyncError } from '@godwit/protocol'
import { fetchBlobs } from '../blobs/fetch-blobs.js'
import type { OpenModel } from '../database/open-models.js'
import { checkRoom } from '../run/check-room.js'
import { claimClient, isClientVoid, MAX_RECOVERIES, renewClient } from '../run/client.js'
import { restartSource } from '../run/restart-source.js'
import { requestIdentity, type SyncContext, type SyncRun } from '../run/sync-context.js'
import { pull } from './pull.js'
import { push } from './push.js'
import { syncCopies } from './sync-copies.js'

/** How often one run continues because of queued changes. */
const MAX_ROUNDS = 5

/**
 * RECIPE of one source: client → push → pull, repeated while there is something to send and it makes progress; then its blobs. A source that was
 * never pulled is pulled first; one whose rows come as files is not pulled.
 */
export async function syncSource(
  context: SyncContext,
  model: OpenModel,
  run: SyncRun,
  { only }: { only?: 'push' } = {},
): Promise<void> {
  if (model.definition.by) return syncCopies(context, model, run, only ? { only } : {})
  for (let recoveries = 0; ; recoveries++) {
    try {
      claimClient(context, model)
      if (model.isBulkOnly) return await pushAlone(context, model, run)
      if (await context.isFull()) return await pushWhileFull(context, model, run, only)
      const isNew = model.state.get().epoch === null
      if (isNew) await pull(context, model, run)
      if (only === 'push') await push(context, model, run, { check: true })
      else if (!isNew || model.scope.outbox.hasToSend(model.name)) await rounds(context, model, run)
      if (only !== 'push') await fetchBlobs(context, model, run)
      return
    } catch (error) {
      if (isQuota(error)) await pullDespiteRefusedPush(context, model, run, { error, only })
      if (recoveries === MAX_RECOVERIES || !(await recover(context, model, run, error))) throw error
    }
  }
}

async function rounds(context: SyncContext, model: OpenModel, run: SyncRun): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS && !run.signal.aborted; round++) {
    const sent = await push(context, model, run, { check: round === 0 })
    const isIdle = round > 0 && sent === 0
    // Changes that are left wait for a decision. A requested sync asks for it once more, an automatic one leaves that to the next.
    if (isIdle && run.isAutomatic === true) return
    await pull(context, model, run)
    const isEnough = isIdle || (run.isAutomatic === true && run.wasRefused === true)
    if (isEnough || !model.scope.outbox.hasToSend(model.name)) return
  }
}

async function pushAlone(context: SyncContext, model: OpenModel, run: SyncRun): Promise<void> {
  const { outbox } = model.scope
  const isNew = model.state.get().epoch === null
  if (isNew && !outbox.hasToSend(model.name)) return
  if (isNew) await learnEpoch(context, model, run)
  await push(context, model, run, { check: true })
}

/** Sends waiting changes, which frees space; fetches nothing. */
async function pushWhileFull(
  context: SyncContext,
  model: OpenModel,
  run: SyncRun,
  only: 'push' | undefined,
): Promise<void> {
  await pushAlone(context, model, run)
  if (only !== 'push') await checkRoom(context)
}

const isQuota = (error: unknown): error is SyncError => isSyncError(error) && error.code === 'quota_exceeded'

/** Whether a quota of unacknowledged outcomes was exceeded: a pull acknowledges them. For other quotas only waiting helps. */
const isOfOutcomes = (error: unknown): boolean =>
  isQuota(error) && (error.details['limit'] ?? 'outcomesPerClient') === 'outcomesPerClient'

/** Pulls although the server refuses a push for now. */
async function pullDespiteRefusedPush(
  context: SyncContext,
  model: OpenModel,
  run: SyncRun,
  { error, only }: { readonly error: SyncError; readonly only: 'push' | undefined },
): Promise<void> {
  if (model.isBulkOnly || (only === 'push' && !isOfOutcomes(error))) return
  await pull(context, model, run)
  if (!isOfOutcomes(error)) await fetchBlobs(context, model, run)
}

/** Gets a new client id, or starts over in a new epoch, when the server no longer knows the old one. */
async function recover(context: SyncContext, model: OpenModel, run: SyncRun, error: unknown): Promise<boolean> {
  if (!isSyncError(error)) return false
  if (error.code === 'epoch_changed') {
    await (model.isBulkOnly ? learnEpoch : pull)(context, model, run)
    return true
  }
  const { client, pushed } = model.state.get()
  // Without a push, the outcomes are of earlier numbers and never acknowledged.
  if (isOfOutcomes(error) && pushed) return !model.isBulkOnly
  if (!isOfOutcomes(error) && !isClientVoid(error)) return false
  await renewClient(context, client, run)
  return true
}

/** Reads the epoch that pushes need, for a source without pulls. The source starts over in it, and the next file delivers its rows. */
async function learnEpoch(context: SyncContext, model: OpenModel, run: SyncRun): Promise<void> {
  const before = model.state.get()
  const { epoch } = await context.transport.versions(model.name, { limit: 1 }, requestIdentity(context, model, run))
  context.database.durable(() => {
    const { sync, client } = model.state.get()
    if (sync === before.sync && epoch !== before.epoch) restartSource(model, { epoch, client })
  })
}
