import {
  MAX_PULLS,
  type PartitionEntry,
  type PartitionPage,
  type PartitionPull,
  parametersName,
  type SyncError,
} from '@godwit/protocol'
import type { Coming } from '../copies/copy-rows.js'
import { type CopiedModel, copyFor, NOT_ALLOWED } from '../copies/copy-state.js'
import { deny } from '../copies/deny.js'
import { copiesToSend } from '../copies/route-entry.js'
import { isWanted, wantedPartitions } from '../copies/wanted.js'
import type { OpenModel } from '../database/open-models.js'
import type { SdkEvent } from '../events/sdk-events.js'
import { errorFacts } from '../events/sdk-events.js'
import { pageOf } from '../http/read-page.js'
import type { AppliedAnswer } from '../run/applied-answer.js'
import { claimClient, isClientVoid } from '../run/client.js'
import { errorOf, type SourceFailure } from '../run/source-failure.js'
import { emitResults, type SyncContext, type SyncRun } from '../run/sync-context.js'
import { applyPage } from './apply-page.js'
import { handleChecksumMismatch } from './checksum-mismatch.js'

/** One copy of a request, and what its page is compared with. */
interface RequestedCopy {
  readonly model: CopiedModel
  readonly sync: number
  readonly pull: PartitionPull
}

/** Which copies a request has: all that the device wants, or only those of changes that wait for an epoch. */
export type PullScope = 'all' | 'epochs'

/**
 * RECIPE of a pull of many copies: list → request → apply page by page → those with more, unserved ones first, until all are up to date. Partitions
 * that the server lists meanwhile are pulled in the same run. Returns the first failure, which holds up no other copy.
 */
export async function pullCopies(
  context: SyncContext,
  model: OpenModel,
  run: SyncRun,
  scope: PullScope = 'all',
): Promise<SourceFailure | undefined> {
  const pulled = new Set<number>()
  const stuck = new Set<number>()
  let failure: SourceFailure | undefined
  let requested = requestsOf(context, model, scope)
  for (
    let isFirst = true;
    (requested.length > 0 || (isFirst && scope === 'all')) && !run.signal.aborted;
    isFirst = false
  ) {
    const part = requested.slice(0, MAX_PULLS)
    for (const one of part) pulled.add(one.model.copy.id)
    const isAll = isFirst && scope === 'all' && part.length === requested.length
    const answer = await context.transport.pullMany(
      model.name,
      { pulls: part.map(({ pull }) => pull), ...(isAll && { subscribed: true }) },
      identityOf(context, run),
    )
    const result = applyEntries(context, { requested: part, entries: answer.pages })
    if (scope === 'all') listPartitions(context, model, answer.partitions)
    report(context, model, run, result)
    if (result.voided) throw result.voided
    failure ??= result.failure
    // Another request would not serve what this one could not.
    if (result.served === 0) for (const one of result.next) stuck.add(one)
    const again = new Set(result.next)
    for (const copied of result.differing)
      if (await handleChecksumMismatch(context, copied, run)) again.add(copied.copy.id)
    const rest = new Set(requested.slice(MAX_PULLS).map(one => one.model.copy.id))
    const now = requestsOf(context, model, scope)
    const isDue = ({ model: { copy } }: RequestedCopy) =>
      !stuck.has(copy.id) && (again.has(copy.id) || rest.has(copy.id) || !pulled.has(copy.id))
    requested = now.filter(isDue).sort((one, other) => placeOf(result, one) - placeOf(result, other))
  }
  if (scope === 'all') summarizeCopies(context, model)
  return failure
}

const placeOf = ({ next }: AppliedEntries, { model }: RequestedCopy): number => {
  const place = next.indexOf(model.copy.id)
  return place < 0 ? next.length : place
}

const identityOf = ({ session }: SyncContext, { signal, isHinted }: SyncRun) => ({
  session: session.required(),
  client: session.clientId,
  signal,
  isHinted: isHinted === true,
})

/** Returns the pulls of all wanted copies, the most urgent first, and those of copies that only have changes, which get no rows. */
function requestsOf(context: SyncContext, model: OpenModel, scope: PullScope): readonly RequestedCopy[] {
  const { database } = context
  const copies = database.transaction(() => (scope === 'all' ? allCopies(context, model) : newCopies(context, model)))
  return copies.map(([one, size]): RequestedCopy => {
    claimClient(context, one)
    const { sync, token, acknowledged } = one.state.get()
    const { parameters } = one.copy
    const pull = { parameters, acknowledged, p_size: size, ...(token !== null && size > 0 && { token }) }
    return { model: one, sync, pull }
  })
}

type SizedCopy = readonly [model: CopiedModel, pageSize: number]

function allCopies({ models, now, pageSize }: SyncContext, model: OpenModel): readonly SizedCopy[] {
  const wanted = wantedPartitions(models, model, Date.parse(now())).map(({ parameters }) => copyFor(model, parameters))
  const ids = new Set(wanted.map(({ copy }) => copy.id))
  const others = copiesToSend(models, model).filter(({ copy }) => !ids.has(copy.id))
  return [...wanted.map(one => [one, pageSize()] as const), ...others.map(one => [one, 0] as const)]
}

/** The copies whose changes wait for an epoch. */
const newCopies = ({ models }: SyncContext, model: OpenModel): readonly SizedCopy[] =>
  copiesToSend(models, model)
    .filter(({ state }) => state.get().epoch === null)
    .map(one => [one, 0] as const)

interface AppliedEntries {
  readonly applied: readonly AppliedAnswer[]
  /** The copies of which more is to come, unserved ones first. */
  readonly next: readonly number[]
  /** The number of partitions that the server answered. */
  readonly served: number
  readonly received: number
  readonly progress: { readonly received: number; readonly total: number }
  readonly failure: SourceFailure | undefined
  /** The server no longer accepts the client. */
  readonly voided: SyncError | undefined
  /** The copies whose checksum differs from that of the server. */
  readonly differing: readonly CopiedModel[]
}

interface Answered {
  readonly requested: readonly RequestedCopy[]
  readonly entries: readonly PartitionEntry[]
}

/** Applies pages in the order in which they were read. One that cannot be applied does not affect the others. */
function applyEntries(context: SyncContext, { requested, entries }: Answered): AppliedEntries {
  const { database } = context
  const byName = new Map(requested.map(one => [one.model.copy.partition, one]))
  const answered = entries.flatMap(entry => {
    const one = byName.get(parametersName(entry.parameters))
    return one ? [{ one, entry }] : []
  })
  const applied: AppliedAnswer[] = []
  const differing: CopiedModel[] = []
  const [unserved, more] = [new Set<number>(), new Set<number>()]
  const counts = { received: 0, total: 0, rows: 0, served: 0 }
  let failure: SourceFailure | undefined
  let voided: SyncError | undefined
  const run = () => {
    for (const [at, { one, entry }] of answered.entries()) {
      const { copy } = one.model
      if ('error' in entry) {
        counts.served++
        const error = errorOf(entry.error)
        if (isClientVoid(error)) {
          voided ??= error
          continue
        }
        failure ??= entry.error.code === NOT_ALLOWED ? undefined : entry.error
        applied.push(fail(context, one, entry.error))
      } else if (!('epoch' in entry)) unserved.add(copy.id)
      else {
        counts.served++
        try {
          const answer = database.transaction(() => applyOne(context, one, entry, comingAfter(context, answered, at)))
          applied.push(answer)
          counts.rows += entry.count
          counts.received += entry.progress_count
          counts.total += entry.total_count
          if (answer.differs) differing.push(one.model)
          if (!answer.stale && isMore(one, entry)) more.add(copy.id)
        } catch (cause) {
          failure ??= errorFacts(cause)
        }
      }
    }
  }
  const hasOutcomes = entries.some(entry => 'outcomes' in entry)
  if (hasOutcomes) database.durable(run)
  else database.transaction(run)
  const { served, received, total, rows } = counts
  return {
    applied,
    next: [...unserved, ...more],
    served,
    received: rows,
    progress: { received, total },
    failure,
    voided,
    differing,
  }
}

/** Whether another page follows. */
function isMore({ model, pull }: RequestedCopy, page: PartitionPage): boolean {
  const mayBeOutcomes = page.outcomes !== undefined && model.state.get().pushed
  return page.more && (mayBeOutcomes || (!page.ends && pull.p_size !== 0))
}

function applyOne(
  context: SyncContext,
  one: RequestedCopy,
  page: PartitionPage,
  coming: Coming | undefined,
): AppliedAnswer {
  const { models, now, watchesObjects } = context
  const { model, sync, pull } = one
  const applied = applyPage(
    {
      models,
      model,
      sync,
      fromZero: pull.token === undefined,
      now: now(),
      watched: watchesObjects(),
      hasOutcomesAlone: pull.p_size === 0,
      ...(coming && { coming }),
    },
    pageOf(page),
  )
  if (!applied.stale) model.scope.copies.fail(model.copy.id, null)
  return applied
}

/** The objects that later pages deliver to wanted copies. */
function comingAfter(
  { now }: SyncContext,
  answered: readonly { readonly one: RequestedCopy; readonly entry: PartitionEntry }[],
  at: number,
): Coming | undefined {
  const here = answered[at]?.entry
  if (!here || !('epoch' in here) || (here.delete ?? []).length === 0) return undefined
  const coming = new Map<string, number>()
  for (const { one, entry } of answered.slice(at + 1)) {
    const { model, sync, pull } = one
    const isApplied = 'epoch' in entry && pull.p_size !== 0 && model.state.get().sync === sync
    if (!isApplied || !isWanted(model, model.copy.partition, Date.parse(now()))) continue
    for (const object of Object.keys(entry.insert ?? {})) coming.set(object, model.copy.id)
  }
  return coming
}

/** A partition that the user may not see any longer is removed; any other error waits for the next sync. */
function fail(
  { models, now }: SyncContext,
  { model, sync }: RequestedCopy,
  error: { code: string; message: string },
): AppliedAnswer {
  const { copies } = model.scope
  if (model.state.get().sync !== sync) return { stale: true, events: [], refusals: [] }
  const isKnown = copies.get(model.copy.id)?.failure?.code === error.code
  const events: SdkEvent[] = isKnown
    ? []
    : [{ kind: 'error', source: model.name, error: { code: error.code, message: error.message } }]
  if (error.code === NOT_ALLOWED)
    return { stale: false, events, refusals: deny(model, { models, now: now(), error, isOfPush: false }) }
  copies.fail(model.copy.id, error)
  return { stale: false, events, refusals: [] }
}

function listPartitions(
  { database }: SyncContext,
  { scope, name }: OpenModel,
  partitions: readonly { readonly parameters: PartitionPull['parameters'] }[],
): void {
  database.transaction(() =>
    scope.subscriptions.list(
      name,
      partitions.map(({ parameters }) => parametersName(parameters)),
    ),
  )
}

function report(context: SyncContext, model: OpenModel, run: SyncRun, result: AppliedEntries): void {
  for (const applied of result.applied) emitResults(context, applied)
  run.query = {}
  run.received += result.received
  if (result.received === 0) return
  context.events.emit({
    kind: 'progress',
    source: model.name,
    page: result.received,
    ...result.progress,
    cumulative: run.received,
  })
}

/** Keeps, for the source as a whole, when it was last complete, and how many objects its wanted copies have on the server. */
function summarizeCopies({ database, models, now }: SyncContext, model: OpenModel): void {
  database.transaction(() => {
    const states = wantedPartitions(models, model, Date.parse(now())).flatMap(({ partition }) => {
      const copy = model.scope.copies.find(model.name, partition)
      return copy && copy.failure === null ? [model.scope.copies.state(copy.id).get()] : []
    })
    const running = states.some(state => state.running || state.refreshed === '')
    const total = states.reduce((sum, state) => sum + state.total, 0)
    model.state.change({ running, total, ...(!running && { refreshed: now() }) })
  })
}
