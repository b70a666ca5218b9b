import type { Attributes, Mutation, SourceError } from '@godwit/protocol'
import { messageOf, type Source } from '@godwit/source'
import type { JournalEntry, SettledMutation, Settlement, StartedMutation } from '@godwit/store'
import { mayReadObjects } from '../../backend/changes/object-readings.js'
import { readAgain } from '../../backend/changes/read-again.js'
import { createSettled } from '../../backend/partitions/access-changed.js'
import { makeDue, makeTargetDue } from '../../backend/partitions/other-partition.js'
import { DRAIN_CHANNEL } from '../../backend/sources/channels.js'
import { publicError } from '../../backend/sources/public-error.js'
import type { DeviceEngine } from '../device-engine.js'
import { type BackendVerdict, callBackend, type MutationCall } from './call-backend.js'
import { type ConflictDecision, decideConflict } from './find-conflict.js'
import { type JudgedAccess, judgeAccess, type Move, moveOf, writeMoved } from './move.js'
import { overwrittenBy } from './overwritten.js'
import { reportDecision, reportDoubt, reportFailure } from './reports.js'
import { settleMutation } from './settle-mutation.js'
import {
  hasContent,
  NO_CONFLICT_CHECK,
  relinkContent,
  withAttributesSent,
  withoutContent,
  withoutDigest,
} from './without-content.js'

/**
 * `blocked`: an earlier mutation must be decided first. `waiting`: another run has it, or it is in doubt. `put_off`: the store cannot record the start
 * of a call now, so the backend was not called.
 */
export type RunResult = 'decided' | 'blocked' | 'waiting' | 'put_off'

/** Options of a run, from the push that sent the mutation. */
export interface MutationRun {
  /** The content, which a pass-through journal does not store, and the outcome number that the device had acknowledged when it sent it. */
  readonly content?: { readonly mutation: Mutation; readonly acknowledged: number } | undefined
  /** Called for each settled mutation before the run ends. */
  readonly onSettled?: ((settled: SettledMutation) => void) | undefined
  /** Returns the client whose response reports the settled mutations, so that it needs no change event. */
  readonly waitingClient?: (() => string | undefined) | undefined
}

/** Runs one mutation: start → conflict? → call → settle. */
export async function runMutation(
  engine: DeviceEngine,
  source: Source,
  entry: JournalEntry,
  { content, onSettled, waitingClient }: MutationRun = {},
): Promise<RunResult> {
  const access = source.by === undefined ? undefined : await accessOf(engine, source, entry)
  if (access === 'unknown') return 'waiting'
  const started = await engine.eventLoopShare.observe(() => startMutation(engine, source, entry))
  if ('refused' in started)
    return started.refused === 'owner' ? dependsOnRefused(engine, entry) : OUTCOME_OF_REFUSAL[started.refused]
  const mutation = content ? await linkContent(engine, started.entry, content) : started.entry.mutation
  if (mutation === undefined) return requeue(engine, started)
  if (access?.refusal !== undefined && started.entry.attempts === 1)
    return refuseAccess(engine, source, started, { error: access.refusal, hearing: { onSettled, waitingClient } })
  const decision = hasContent(source, mutation)
    ? judgeConflict(engine, source, mutation, started)
    : withoutContent(started)
  const ask = mayRepeat(started)
  if ('outcome' in decision) {
    // The device gets what the backend has now, which may be newer than what it was judged by.
    const asks = ask || (decision.outcome !== 'applied' && mayReadObjects(source))
    const result = { ...resultWithoutCall(decision.outcome), ask: asks }
    return settleResult(engine, started, result, { onSettled, waitingClient })
  }
  if ('error' in decision)
    return settleResult(
      engine,
      started,
      { status: 'refused', error: decision.error, ask },
      { onSettled, waitingClient },
    )
  const { user, collection } = started.entry
  const overwrote = source.passThrough ? undefined : await overwrittenBy(engine, decision, started)
  const call = callBackend(engine, source, { user, partition: collection.partition }, mutation, decision)
  const verdict = await engine.callConcurrency.observe(source, call.beforeTimeout)
  if (verdict.result !== 'unknown') {
    const result = await resultOf(engine, source, started, { verdict, overwrote, access, isLate: false })
    return settleResult(engine, started, result, { onSettled, waitingClient })
  }
  await giveUp(engine, source, started, verdict.error).finally(() =>
    awaitLate(engine, source, started, { call, overwrote, access }),
  )
  return 'waiting'
}

/** Judges access before the start. `unknown`: the source did not answer, so the mutation stays queued for the next sweep. */
async function accessOf(
  engine: DeviceEngine,
  source: Source,
  entry: JournalEntry,
): Promise<JudgedAccess | undefined | 'unknown'> {
  try {
    return await judgeAccess(engine, source, entry)
  } catch (error) {
    publicError(engine, error, { source: source.name, logMessage: 'could not judge the access of a mutation' })
    return 'unknown'
  }
}

async function refuseAccess(
  engine: DeviceEngine,
  source: Source,
  started: StartedMutation,
  {
    error,
    hearing,
  }: { readonly error: SourceError; readonly hearing: Pick<MutationRun, 'onSettled' | 'waitingClient'> },
): Promise<RunResult> {
  const ask = mayRepeat(started)
  if (ask) await makeTargetDue(engine, source, started.entry)
  return settleResult(engine, started, { status: 'refused', error, ask }, hearing)
}

const OUTCOME_OF_REFUSAL = { state: 'waiting', held: 'blocked', unconfirmed: 'put_off' } as const

/**
 * Replaces temporary ids, with the links in outcomes that the device had not acknowledged when it sent the mutation. Undefined: it has acknowledged
 * more since, so links may be gone; the device sends the change again with the real ids.
 */
async function linkContent(
  { store }: DeviceEngine,
  { collection, client }: JournalEntry,
  { mutation, acknowledged }: NonNullable<MutationRun['content']>,
): Promise<Mutation | undefined> {
  if (!mutation.owners?.length) return mutation
  const page = { after: acknowledged, limit: Number.MAX_SAFE_INTEGER }
  const { outcomes } = await store.journal.outcomes(collection, client, page)
  return outcomes[0]?.outcome === acknowledged + 1 ? relinkContent(mutation, outcomes) : undefined
}

async function requeue({ store }: DeviceEngine, { entry, fence }: StartedMutation): Promise<RunResult> {
  await store.journal.release(entry.collection, entry.mutation.key, { fence, to: 'queued', retryIn: 0 })
  return 'waiting'
}

const startMutation = (engine: DeviceEngine, source: Source, { collection, mutation }: JournalEntry) => {
  // Only such a call may be repeated without a recorded decision, so its start need not be durable.
  const forgettable = source.idempotent && source.conflict === 'client-wins' && source.methods.resolve === undefined
  // The lease outlasts the call's time-out, so that this process can still record its end.
  const milliseconds = (source.timeout + engine.limits.callMargin) * 1000
  return engine.store.journal.start(collection, mutation.key, { milliseconds, durable: !forgettable })
}

/** Decides on conflicts. A `resolve` that throws refuses the mutation, and the backend is not called. */
function judgeConflict(
  engine: DeviceEngine,
  source: Source,
  mutation: Mutation,
  { before }: StartedMutation,
): ConflictDecision | { readonly error: SourceError } {
  try {
    return source.passThrough
      ? decideConflict(NO_CONFLICT_CHECK, mutation, withAttributesSent(before, mutation))
      : decideConflict(source, mutation, before)
  } catch (error) {
    const { message } = publicError(engine, error, { source: source.name, logMessage: 'could not resolve a conflict' })
    return { error: { code: 'refused', message: `The conflict could not be resolved: ${message}` } }
  }
}

type MutationResult = Pick<Settlement, 'status' | 'write' | 'link' | 'error' | 'overwrote' | 'ask' | 'moved'> & {
  readonly move?: Move
}

const resultWithoutCall = (status: 'conflict' | 'gone' | 'applied'): MutationResult =>
  status === 'applied' ? { status } : { status, error: { code: status, message: MESSAGES[status] } }

const MESSAGES = {
  conflict: 'The object has been changed on the server.',
  gone: 'The object has been removed from the server.',
}

/** True if an earlier call, here or under another client or epoch, may have applied it; only the backend shows its result. */
const mayRepeat = ({ entry }: StartedMutation): boolean => entry.attempts > 1 || entry.mutation.sent === true

function settlementOf(
  { passThrough }: Source,
  verdict: Exclude<BackendVerdict, { result: 'unknown' }>,
  started: StartedMutation,
  overwrote?: Attributes,
): MutationResult {
  const ask = mayRepeat(started)
  // Only a query shows what became of an object that the backend does not have.
  if (verdict.result === 'refused' && verdict.error.code === 'gone')
    return { status: 'gone', error: verdict.error, ask: true }
  if (verdict.result === 'refused') return { status: 'refused', error: verdict.error, ask }
  const { link } = verdict
  const write = passThrough ? withoutDigest(verdict.write, started) : verdict.write
  const changes = { ...(write && { write }), ...(link !== undefined && { link }), ...(overwrote && { overwrote }) }
  return { status: 'applied', ask: ask || passThrough, ...changes }
}

interface VerdictContext {
  readonly verdict: Exclude<BackendVerdict, { result: 'unknown' }>
  readonly overwrote: Attributes | undefined
  readonly access: JudgedAccess | undefined
  /** True for a result that arrived after the time-out. */
  readonly isLate: boolean
}

/** Returns what to settle. An object that is now in another partition is written there first; the partition of the mutation loses it. */
async function resultOf(
  engine: DeviceEngine,
  source: Source,
  started: StartedMutation,
  { verdict, overwrote, access, isLate }: VerdictContext,
): Promise<MutationResult> {
  const plain = settlementOf(source, verdict, started, overwrote)
  const result = isLate ? { ...plain, ask: true } : plain
  if (access === undefined) return result
  const isRepeat = isLate || mayRepeat(started)
  const move = result.status === 'applied' ? moveOf(source, started, result.write) : undefined
  if (move === undefined) {
    const { target } = access
    const isUnsettled = isRepeat || (result.status === 'applied' && result.write === undefined)
    if (target !== undefined && isUnsettled) await makeDue(engine, target)
    return result
  }
  await writeMoved(engine, move, { judged: access, isRepeat })
  return { ...result, write: { object: move.object, remove: true }, moved: move.moved, move }
}

async function settleResult(
  engine: DeviceEngine,
  started: StartedMutation,
  result: MutationResult,
  hearing?: Pick<MutationRun, 'onSettled' | 'waitingClient'>,
): Promise<RunResult> {
  try {
    return await settleOnce(engine, started, result, hearing)
  } catch (error) {
    const { entry, fence } = started
    engine.unsettledAnswers.keep({ ...entry, fence }, error, async () => {
      await settleOnce(engine, started, result)
      await engine.store.events.publish(DRAIN_CHANNEL, { ...entry.collection })
    })
    throw error
  }
}

async function settleOnce(
  engine: DeviceEngine,
  { entry, epoch, fence }: StartedMutation,
  { move, ...result }: MutationResult,
  { onSettled, waitingClient }: Pick<MutationRun, 'onSettled' | 'waitingClient'> = {},
): Promise<RunResult> {
  const { collection } = entry
  const settled = await engine.eventLoopShare.observe(() => settleMutation(engine, entry, { ...result, epoch, fence }))
  if ('refused' in settled) {
    await readUnrecorded(engine, entry)
    if (move !== undefined) await makeDue(engine, move.to)
    return 'waiting'
  }
  // The object changed in the partition that it left: the new one may lack that change.
  if (move !== undefined && settled.spared > 0) await makeDue(engine, move.to)
  if (result.status === 'applied' && entry.mutation.operation === 'create') await forgetAccess(engine, entry.user)
  if (result.write !== undefined) engine.changes.announce(collection, waitingClient?.())
  const effect = { source: engine.sources.find(collection.source), entry, created: result.link ?? result.write?.object }
  engine.objectReadings.serve(engine, effect, settled.queryRequest)
  reportDecision(engine, entry, settled.outcome)
  onSettled?.(settled)
  return 'decided'
}

/** The created object may give its user access to a partition. What another process remembers otherwise holds for a few seconds. */
const forgetAccess = (engine: DeviceEngine, user: string): Promise<void> =>
  createSettled(engine, user).catch(error =>
    engine.log.warn({ error: messageOf(error) }, 'could not announce a change of access'),
  )

/** The backend's change is recorded nowhere, so only reading it can show it. The id of a created object is not known. */
async function readUnrecorded(engine: DeviceEngine, { collection, user, mutation }: JournalEntry): Promise<void> {
  const source = engine.sources.find(collection.source)
  if (source?.by !== undefined) await makeTargetDue(engine, source, { collection, mutation })
  if (source === undefined || mutation.operation === 'create') return engine.store.collections.requestQuery(collection)
  await readAgain(engine, { source, collection, user }, [mutation.object])
}

async function dependsOnRefused(engine: DeviceEngine, entry: JournalEntry): Promise<RunResult> {
  const { store } = engine
  const { collection } = entry
  const head = await store.collections.head(collection)
  if (head === undefined) return 'waiting'
  const error = {
    code: 'depends_on_refused',
    message: 'It belongs to an object whose creation was refused or is unknown.',
  }
  const settlement: Settlement = { epoch: head.epoch, status: 'depends_on_refused', error }
  const settled = await settleMutation(engine, entry, settlement)
  if ('refused' in settled) return 'waiting'
  reportDecision(engine, entry, settled.outcome)
  return 'decided'
}

/** Ends a call without an answer: an idempotent source is called again later; otherwise the mutation is in doubt and an operator decides. */
async function giveUp(
  engine: DeviceEngine,
  source: Source,
  { entry, fence }: StartedMutation,
  error: SourceError,
): Promise<void> {
  const retryIn = Math.min(60_000, 500 * 2 ** Math.min(entry.attempts, 10))
  reportFailure(engine, entry, error)
  if (!source.idempotent) reportDoubt(engine, entry, error)
  if (source.by !== undefined) await makeTargetDue(engine, source, entry)
  const release = source.idempotent
    ? { fence, to: 'queued' as const, retryIn }
    : { fence, to: 'in_doubt' as const, error }
  const released = await engine.store.journal.release(entry.collection, entry.mutation.key, release)
  if ('released' in released) engine.objectReadings.serve(engine, { source, entry }, released.queryRequest)
}

interface LateCall {
  readonly call: MutationCall
  readonly overwrote: Attributes | undefined
  readonly access: JudgedAccess | undefined
}

function awaitLate(
  engine: DeviceEngine,
  source: Source,
  started: StartedMutation,
  { call, overwrote, access }: LateCall,
): void {
  call.eventual
    .then(late => settleLate(engine, source, started, { late, overwrote, access }))
    .catch(error => engine.log.error({ error: String(error) }, 'could not settle a late result'))
}

/** Settles a mutation with a result that arrived after the time-out, unless it was decided meanwhile. */
async function settleLate(
  engine: DeviceEngine,
  source: Source,
  started: StartedMutation,
  { late, overwrote, access }: Omit<LateCall, 'call'> & { readonly late: BackendVerdict },
): Promise<void> {
  if (late.result === 'unknown') return
  await settleResult(
    engine,
    started,
    await resultOf(engine, source, started, { verdict: late, overwrote, access, isLate: true }),
  )
}
