import { SyncError } from '@godwit/protocol'
import { isSweepDue, sweepBlobs } from '../blobs/sweep-blobs.js'
import type { OpenModel } from '../database/open-models.js'
import { type Hint, hasAll } from '../events/hint.js'
import { ensureClient } from '../run/client.js'
import { oneAtATime } from '../run/one-at-a-time.js'
import { registerPush } from '../run/register-push.js'
import { type Counts, NO_COUNTS, plus, since } from '../run/run-counts.js'
import { endSession, failureOf, loggedOutError, SESSION_CODES, type SourceFailure } from '../run/source-failure.js'
import { emitResults, type SyncContext, type SyncRun } from '../run/sync-context.js'
import { finishMigrationNames } from './finish-names.js'
import { inOrder } from './source-order.js'
import { syncSource } from './sync-source.js'

/** The result of a run. */
export interface SyncSummary<Name extends string = string> {
  readonly sources: readonly SourceSummary<Name>[]
  /** Totals over all sources: objects received or removed, and mutations sent. */
  readonly received: number
  readonly sent: number
  /** Whether stopSync ended it. */
  readonly stopped: boolean
}

/** What a sync did for one source: objects received, changes sent. */
export interface SourceSummary<Name extends string = string> {
  readonly source: Name
  readonly received: number
  readonly sent: number
  /** Set if nothing was fetched, because only bulk data delivers its rows. Local changes were sent. */
  readonly skipped?: 'bulk_only'
  /** Absent if it is up to date or skipped. */
  readonly error?: SourceFailure
}

const CONCURRENT_SOURCES = 4

export interface SyncOptions {
  readonly models: readonly OpenModel[]
  readonly query: { readonly [name: string]: string }
  readonly signal: AbortSignal
  readonly only?: 'push'
  /** True for an automatic run. */
  readonly isAutomatic?: boolean
  /** Hints of the server: a source is pulled only if the device lacks something. */
  readonly hints?: ReadonlyMap<string, Hint | undefined>
  /** Called when the run reaches a source. */
  readonly begun?: (source: string) => void
  /** The result of an earlier run that this one continues. */
  readonly before?: ReadonlyMap<string, SourceSummary>
}

/** Runs a sync. A session that has ended is renewed where the app has `credentials`, and the run repeated once. */
export async function sync(context: SyncContext, options: SyncOptions): Promise<SyncSummary> {
  await context.signIn.ready()
  try {
    return await syncOnce(context, options)
  } catch (error) {
    if (options.signal.aborted || !(await context.signIn.recovered(error))) throw error
    return syncOnce(context, options)
  }
}

/** RECIPE of a run: session → client → complete what a kill interrupted → the sources in order → done. Rejects only if it could not run. */
async function syncOnce(context: SyncContext, options: SyncOptions): Promise<SyncSummary> {
  const { models, signal } = options
  const token = context.session.required()
  await ensureClient(context, token, signal)
  await registerPushAddress(context, signal)
  finish(context)
  const start = new Map(context.totals)
  const sources: SourceSummary[] = []
  for (const group of inOrder(models)) {
    for (let from = 0; from < group.length && !signal.aborted; from += CONCURRENT_SOURCES) {
      const part = group.slice(from, from + CONCURRENT_SOURCES)
      sources.push(
        ...(await Promise.all(
          part.map(model => oneAtATime(context.busy, model.name, () => syncAndCount(context, model, options, start))),
        )),
      )
    }
  }
  if (!signal.aborted) await sweep(context)
  return summarize(context, sources, token, options)
}

/** A failure does not keep the device from syncing. The next sync tries again. */
async function registerPushAddress(context: SyncContext, signal: AbortSignal): Promise<void> {
  try {
    await registerPush(context, signal)
  } catch (cause) {
    const { code, message } = failureOf(cause)
    if (!SESSION_CODES.has(code) && code !== 'offline')
      context.events.emit({ kind: 'error', source: null, error: { code, message } })
  }
}

async function sweep(context: SyncContext): Promise<void> {
  const { database, models, files, swept, now } = context
  if (files === undefined || !isSweepDue(context)) return
  swept.at = Date.parse(now())
  await sweepBlobs({ database, models, files })
}

function finish(context: SyncContext): void {
  const refusals = context.database.durable(() => finishMigrationNames(context.models, context.now()))
  emitResults(context, { stale: false, events: [], refusals })
}

type TotalsAtStart = ReadonlyMap<string, Counts>

/** Syncs one source of a run, and counts it for the runs beside it too. */
async function syncAndCount(
  context: SyncContext,
  model: OpenModel,
  options: SyncOptions,
  start: TotalsAtStart,
): Promise<SourceSummary> {
  const { totals } = context
  const before = totals.get(model.name) ?? NO_COUNTS
  const run = runOf(model, options, since(before, start.get(model.name) ?? NO_COUNTS))
  const { received, sent } = run
  try {
    return await runOne(context, model, options, run)
  } finally {
    totals.set(model.name, plus(before, since(run, { received, sent })))
  }
}

async function runOne(
  context: SyncContext,
  model: OpenModel,
  options: SyncOptions,
  run: SyncRun,
): Promise<SourceSummary> {
  const { events } = context
  const { only, begun, hints } = options
  const hint = hints?.get(model.name)
  const isNoNews = hint !== undefined && hasAll(model, hint) && !model.scope.outbox.hasToSend(model.name)
  if (isNoNews || run.signal.aborted) return { source: model.name, received: run.received, sent: run.sent }
  begun?.(model.name)
  try {
    await syncSource(context, model, run, only ? { only } : {})
    if (model.isBulkOnly) return skip(context, model, run, BULK_ONLY)
    const { total, running } = model.state.get()
    // The pass waits for the backend's first query, so the source is not up to date yet.
    const isWaitingForBackend = running && only !== 'push'
    const { received, sent, backendError } = run
    if (!run.signal.aborted && !isWaitingForBackend && !isIdle(run, options))
      events.emit({
        kind: 'source',
        source: model.name,
        received,
        total,
        ...(backendError && { error: shortOf(backendError) }),
      })
    return { source: model.name, received, sent, ...(backendError && { error: { ...backendError, ofBackend: true } }) }
  } catch (cause) {
    const error = failureOf(cause)
    const { code, message } = error
    if (code === 'bulk_only') return skip(context, model, run, message)
    if (run.signal.aborted && code === 'offline') return { source: model.name, received: run.received, sent: run.sent }
    events.emit({ kind: 'error', source: model.name, error: { code, message } })
    return { source: model.name, received: run.received, sent: run.sent, error }
  }
}

/** Creates the run of one source. `beside`: what other runs did for it since this one began, which a run of all reports too. */
function runOf(
  { name }: OpenModel,
  { signal, query, hints, only, isAutomatic = false, before }: SyncOptions,
  beside: Counts,
): SyncRun {
  const isSmall = hints !== undefined || only !== undefined
  const { received, sent } = plus(before?.get(name) ?? NO_COUNTS, isSmall ? NO_COUNTS : beside)
  const isHinted = hints?.get(name) !== undefined
  return { signal, query, received, sent, refusedAgain: 0, isAutomatic, isHinted }
}

/** True if automatic sending found nothing to send: no event is emitted. */
const isIdle = (
  { sent }: Pick<SyncRun, 'sent'>,
  { only, isAutomatic }: Pick<SyncOptions, 'only' | 'isAutomatic'>,
): boolean => isAutomatic === true && only === 'push' && sent === 0

const BULK_ONLY = 'The model is bulk_only: its rows arrive only as bulk data.'

function skip(
  { events }: SyncContext,
  { name }: OpenModel,
  { received, sent }: SyncRun,
  message: string,
): SourceSummary {
  events.emit({ kind: 'skipped', source: name, reason: 'bulk_only', message })
  return { source: name, received, sent, skipped: 'bulk_only' }
}

const shortOf = ({ code, message }: SourceFailure) => ({ code, message })

function summarize(
  context: SyncContext,
  sources: readonly SourceSummary[],
  token: string,
  options: SyncOptions,
): SyncSummary {
  const sum = (of: (source: SourceSummary) => number) => sources.reduce((all, source) => all + of(source), 0)
  const summary = {
    sources,
    received: sum(({ received }) => received),
    sent: sum(({ sent }) => sent),
    stopped: options.signal.aborted,
  }
  const failed = sources.filter(({ error }) => error)
  const ended = failed.find(({ error }) => SESSION_CODES.has(error?.code ?? ''))?.error
  if (ended) endSession(context, token)
  if (failed.length > 0 || !isIdle(summary, options))
    context.events.emit({
      kind: 'complete',
      received: summary.received,
      sent: summary.sent,
      failed: failed.map(({ source }) => source),
    })
  if (ended) throw loggedOutError(context, ended.code, ended.message)
  const offline =
    failed.length > 0 && failed.length === sources.length && failed.every(({ error }) => error?.code === 'offline')
  if (offline) throw new SyncError('offline', failed[0]?.error?.message ?? 'The server cannot be reached.')
  return summary
}
