import { fetchBlobs } from '../blobs/fetch-blobs.js'
import { type CopiedModel, NOT_ALLOWED } from '../copies/copy-state.js'
import { deny } from '../copies/deny.js'
import { copiesToLeave, leave } from '../copies/leave.js'
import { canSend, copiesToSend } from '../copies/route-entry.js'
import type { OpenModel } from '../database/open-models.js'
import { claimClient, isClientVoid, MAX_RECOVERIES, renewClient } from '../run/client.js'
import { runInParts } from '../run/run-in-parts.js'
import { errorOf, failureOf, SESSION_CODES, type SourceFailure } from '../run/source-failure.js'
import { emitResults, type SyncContext, type SyncRun } from '../run/sync-context.js'
import { pullCopies } from './pull-copies.js'
import { push } from './push.js'

/** How often one run continues because of queued changes. */
const MAX_ROUNDS = 5

/**
 * RECIPE of a source with `by`: leave what nothing wants → push by copy → pull all copies together, repeated while there is something to send and it
 * makes progress; then blobs. One refused, slow or failing partition holds up nothing else: the first failure is thrown at the end.
 */
export async function syncCopies(
  context: SyncContext,
  model: OpenModel,
  run: SyncRun,
  { only }: { only?: 'push' } = {},
): Promise<void> {
  for (let recoveries = 0; ; recoveries++) {
    const { clientId } = context.session
    try {
      await leaveCopies(context, model, run)
      const failure = only === 'push' ? await sendCopies(context, model, run) : await rounds(context, model, run)
      if (only !== 'push') await fetchBlobs(context, model, run)
      await leaveCopies(context, model, run)
      if (failure) throw asError(failure)
      return
    } catch (error) {
      if (recoveries === MAX_RECOVERIES || !isClientVoid(error)) throw error
      await renewClient(context, clientId, run)
    }
  }
}

async function rounds(context: SyncContext, model: OpenModel, run: SyncRun): Promise<unknown> {
  let failure: unknown
  for (let round = 0; round < MAX_ROUNDS && !run.signal.aborted; round++) {
    const before = epochsOf(context, model)
    const pushed = await pushCopies(context, model, run, round === 0)
    failure ??= pushed.failure
    if (round > 0 && pushed.sent === 0) break
    const pulled = await pullCopies(context, model, run)
    failure ??= pulled
    const isNew = epochsOf(context, model) > before
    if (!canSend(context.models, model) || (pushed.sent === 0 && !isNew && round > 0)) break
  }
  return failure
}

/** Sends changes without a pull of rows. A copy that was never pulled needs its epoch first. */
async function sendCopies(context: SyncContext, model: OpenModel, run: SyncRun): Promise<unknown> {
  await pullCopies(context, model, run, 'epochs')
  return (await pushCopies(context, model, run, true)).failure
}

/** The number of copies with changes that may be sent. */
const epochsOf = (context: SyncContext, model: OpenModel): number =>
  sendable(context, model).filter(({ state }) => state.get().epoch !== null).length

const sendable = ({ database, models }: SyncContext, model: OpenModel): readonly CopiedModel[] =>
  database.transaction(() => copiesToSend(models, model))

interface Pushed {
  readonly sent: number
  readonly failure: unknown
}

async function pushCopies(context: SyncContext, model: OpenModel, run: SyncRun, check: boolean): Promise<Pushed> {
  let sent = 0
  let failure: unknown
  for (const copied of sendable(context, model)) {
    if (run.signal.aborted) break
    claimClient(context, copied)
    if (copied.state.get().epoch === null) continue
    try {
      sent += await push(context, copied, run, { check })
    } catch (error) {
      const { code } = failureOf(error)
      if (code === 'offline' || SESSION_CODES.has(code) || isClientVoid(error)) throw error
      if (code === NOT_ALLOWED) refuseAll(context, copied, error)
      // The next pull of the copy brings the new epoch.
      else if (code !== 'epoch_changed') failure ??= error
      sent++
    }
  }
  return { sent, failure }
}

/** A push to a partition that the user may not see: what it may have executed before is refused as such. */
function refuseAll(context: SyncContext, model: CopiedModel, cause: unknown): void {
  const { database, models, now } = context
  const error = failureOf(cause)
  const refusals = database.durable(() => deny(model, { models, now: now(), error, isOfPush: true }))
  emitResults(context, { stale: false, events: [], refusals })
}

async function leaveCopies(context: SyncContext, model: OpenModel, { signal }: SyncRun): Promise<void> {
  const { database, now } = context
  const at = Date.parse(now())
  database.transaction(() => model.scope.subscriptions.forgetEnded(model.name, at))
  for (const copied of copiesToLeave(model, at))
    await runInParts(context, signal, isOver => ({ isLast: leave(copied, isOver), events: [] }))
}

/** A page's error is facts; a push's is the error itself. */
const asError = (failure: unknown): unknown => (failure instanceof Error ? failure : errorOf(failure as SourceFailure))
