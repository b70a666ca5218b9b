import {
  isSyncError,
  MAX_MUTATIONS,
  type Mutation,
  type PartitionParameters,
  type PushOutcomes,
  SyncError,
} from '@godwit/protocol'
import { type BlobUploads, isReady, recordMissing, uploadBlobs } from '../blobs/upload-blobs.js'
import { isSentTo } from '../copies/route-entry.js'
import type { OpenModel } from '../database/open-models.js'
import type { OutboxEntry } from '../database/tables/outbox-entry.js'
import { objectEvents } from '../events/sdk-events.js'
import { ObjectChanges } from '../live/object-changes.js'
import { refuse } from '../outbox/settle-entry.js'
import { take } from '../outbox/take.js'
import { rowWriterOf } from '../records/store-row.js'
import { type AppliedAnswer, STALE } from '../run/applied-answer.js'
import { emitResults, requestIdentity, type SyncContext, type SyncRun } from '../run/sync-context.js'
import { type ApplyContext, applyOutcomes, numberedEntry } from './apply-outcomes.js'

interface Request {
  readonly sync: number
  readonly epoch: string
  readonly acknowledged: number
  readonly mutations: readonly Mutation[]
  readonly pass_through?: boolean
  readonly parameters?: PartitionParameters
}

/** How often one run sends changes that handlers of refusals make; later ones wait for the next run. */
const MAX_REFUSED_AGAIN = 5

/** How often one run sends again what the server lacks. */
const MAX_MISSING_ANSWERS = 5

/**
 * RECIPE of a push: blobs → take → send → apply, until nothing can be sent; returns the number of mutations sent. If the server has no room for more
 * blobs, changes whose blobs it has go first, since they make room. `check` asks about the last accepted change, so that a server that lost its
 * latest writes notices the gap.
 */
export async function push(
  context: SyncContext,
  model: OpenModel,
  run: SyncRun,
  { check = false }: { check?: boolean } = {},
): Promise<number> {
  const { outbox } = model.scope
  const blobs: BlobUploads = { sent: new Set(), missing: new Set(), lost: new Set() }
  let missing = 0
  let sent = 0
  let least = Number.POSITIVE_INFINITY
  // Changes written meanwhile wait for the next automatic run; otherwise this run could send request after request.
  const most = run.isAutomatic === true ? outbox.countToSend(model.name) : Number.POSITIVE_INFINITY
  let again = check ? acceptedBefore(model) : []
  const isEnough = (): boolean => run.signal.aborted || run.refusedAgain === MAX_REFUSED_AGAIN
  while ((again.length > 0 || (sent < most && outbox.hasToSend(model.name))) && !isEnough()) {
    const full = await uploadBlobs(context, model, run, { uploads: blobs, again })
    const request = takeRequest(context, model, { blobs, again })
    if (request.mutations.length === 0) {
      if (full) throw full
      break
    }
    const { sync, ...body } = request
    const answer = await sendRequest(context, model, run, body)
    if ('missing' in answer) {
      if (full) throw full
      if (++missing > MAX_MISSING_ANSWERS) throw answer.error
      recordMissing(context, answer.missing, blobs)
      continue
    }
    const applied = context.database.durable(() => applyPushAnswer(context, model, sync, answer))
    if (applied.refusals.length > 0) {
      const left = outbox.countToSend(model.name)
      if (left >= least) run.refusedAgain++
      least = Math.min(least, left)
    }
    emitResults(context, applied)
    const resent = new Set(again.map(({ number }) => number))
    const count = request.mutations.filter(({ number }) => !resent.has(number)).length
    sent += count
    run.sent += count
    again = []
    if (applied.stale || !hasMoved(model, request)) break
    run.wasRefused ||= applied.refusals.length > 0
    if (run.isAutomatic === true && applied.refusals.length > 0) break
  }
  return sent
}

interface MissingBlobs {
  readonly missing: readonly string[]
  readonly error: SyncError
}

/** Returns the answer, or what the server needs before it accepts the request. */
async function sendRequest(
  context: SyncContext,
  model: OpenModel,
  run: SyncRun,
  body: Omit<Request, 'sync'>,
): Promise<PushOutcomes | MissingBlobs> {
  try {
    return await context.transport.push(model.name, body, requestIdentity(context, model, run))
  } catch (error) {
    if (!isSyncError(error) || error.code !== 'blob_missing') throw error
    const { hashes } = error.details
    if (!Array.isArray(hashes) || hashes.length === 0) throw error
    return { missing: hashes.map(String), error }
  }
}

/** The last accepted change shows whether the server still has all; a server that keeps no content may need all of them again. */
function acceptedBefore({ name, definition, scope: { outbox }, copy }: OpenModel): readonly OutboxEntry[] {
  if (copy)
    return outbox
      .numberedOf(copy.id)
      .filter(({ state }) => isAccepted(state))
      .slice(-1)
  const page = { after: 0, limit: MAX_MUTATIONS }
  // Including those in doubt, which an operator may have put back in the queue.
  if (definition.passThrough)
    return (['accepted', 'doubt'] as const).flatMap(state => outbox.inState(name, state, page))
  const last = outbox.lastAccepted(name)
  return last ? [last] : []
}

const isAccepted = (state: OutboxEntry['state']): boolean => state === 'accepted' || state === 'doubt'

/** Selects the mutations of a request. Numbers, keys and contents are on disk before anything is sent, so that the server never knows more than the device. */
function takeRequest(
  context: SyncContext,
  model: OpenModel,
  { blobs, again }: { readonly blobs: BlobUploads; readonly again: readonly OutboxEntry[] },
): Request {
  const { database, models, newKey, now } = context
  const isReadyToSend = (entry: OutboxEntry): boolean => context.files === undefined || isReady(model, entry, blobs)
  const { request, refusals } = database.durable(() => {
    const { mutations, tooLarge } = take(models, model, {
      newKey,
      isReady: isReadyToSend,
      again,
      isHere: entry => isSentTo(models, model, entry),
      lostBlobs: blobs.lost,
    })
    const refusals = tooLarge.flatMap(entry => refuse(models, model, entry, { ...TOO_LARGE, at: now() }))
    const { sync, epoch, acknowledged } = model.state.get()
    if (epoch === null)
      throw new SyncError('epoch_changed', `${model.name} has not been pulled yet: expected an epoch before a push.`)
    const { passThrough } = model.definition
    const parameters = model.copy && { parameters: model.copy.parameters }
    const request = { sync, epoch, acknowledged, mutations, ...(passThrough && { pass_through: true }), ...parameters }
    return { request, refusals }
  })
  emitResults(context, { stale: false, events: [], refusals })
  return request
}

const TOO_LARGE = {
  status: 'refused',
  error: { code: 'body_too_large', message: 'The change is larger than a request may be (1 MiB).' },
} as const

/** Applies the answer to a push, inside the caller's transaction. */
export function applyPushAnswer(
  { models, now, watchesObjects }: Pick<SyncContext, 'models' | 'now' | 'watchesObjects'>,
  model: OpenModel,
  sync: number,
  answer: PushOutcomes,
): AppliedAnswer {
  const state = model.state.get()
  if (state.sync !== sync || state.epoch !== answer.epoch) return STALE
  const changes = watchesObjects() ? new ObjectChanges() : undefined
  const rows = rowWriterOf(model, state, { changes })
  const context: ApplyContext = { models, model, rows, now: now(), events: [], refusals: [] }
  const after = applyOutcomes(context, state, answer.outcomes)
  model.state.set({ ...after, pushed: true, checksum: context.rows.checksum })
  if (changes) context.events.push(...objectEvents(model.name, changes))
  return { stale: false, events: context.events, refusals: context.refusals }
}

/** Whether the server decided anything that was sent; otherwise the same request would repeat forever. */
const hasMoved = (model: OpenModel, { mutations }: Request): boolean =>
  mutations.some(({ number }) => numberedEntry(model, number)?.state !== 'taken')
