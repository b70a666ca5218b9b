import { FirstSyncFile } from '../bulk/first-sync-file.js'
import type { OpenModel } from '../database/open-models.js'
import type { ReadPage } from '../http/read-page.js'
import { duplicatesOf } from '../records/store-row.js'
import type { AppliedAnswer } from '../run/applied-answer.js'
import { runInParts } from '../run/run-in-parts.js'
import { emitResults, requestIdentity, type SyncContext, type SyncRun } from '../run/sync-context.js'
import { applyPage, endsReplacement, sweepAhead } from './apply-page.js'
import { handleChecksumMismatch } from './checksum-mismatch.js'

/** A request for a page, needed to evaluate its answer. */
interface PendingPull {
  readonly sync: number
  readonly token: string | null
  readonly answer: Promise<ReadPage>
}

/**
 * RECIPE of a pull: request → apply → a file for the rest if that is large → repeat until the source is up to date or the run is stopped.
 *
 * While one page is applied, the next one is already requested with the token of the page in hand. That request names the token which is stored
 * (`stored_token`), because a crash would lose the page in hand: the server keeps what the device needs to continue from there. A request ahead is
 * dropped if applying changed the position, for example after a repair.
 *
 * Example: 5000 rows in pages of 2000. Page 1 arrives; page 2 is requested while page 1 is stored; page 3 while page 2 is stored; page 3 ends the pass.
 */
export async function pull(context: SyncContext, model: OpenModel, run: SyncRun): Promise<void> {
  const file = new FirstSyncFile(context, model, run)
  await file.resume()
  let pending = request(context, model, run)
  for (;;) {
    const page = await pending.answer
    run.query = {}
    run.backendError = page.source_error
    const isFileDue = file.isDue(page)
    const next = isFileDue ? undefined : requestAhead(context, model, run, pending, page)
    const applied = await apply(context, model, pending, { page, signal: run.signal })
    if (!applied) return
    emitResults(context, applied)
    progress(context, model, run, page, applied)
    if (applied.stale || run.signal.aborted) return
    if (isFileDue) await file.load(page.progress_count)
    const isMended = applied.differs === true && (await handleChecksumMismatch(context, model, run))
    if (!isMoreToCome(model, page) && !isMended) return fillText(model, run)
    pending = next && isNext(model, page) ? next : request(context, model, run)
  }
}

/** Updates the full-text index after a pass from zero, in parts between which reads can run. An earlier search updates it itself. */
async function fillText({ text }: OpenModel, { signal }: SyncRun): Promise<void> {
  while (!signal.aborted && text?.fillPart()) await new Promise(resolve => setTimeout(resolve))
}

function request(context: SyncContext, model: OpenModel, run: SyncRun, ahead?: { token: string }): PendingPull {
  const state = model.state.get()
  const token = ahead?.token ?? state.token
  const query = {
    ...run.query,
    token: token ?? undefined,
    // The page of a token that is sent ahead may be lost before it is stored.
    ...(ahead && { stored_token: state.token ?? '' }),
    p_size: context.pageSize(),
    acknowledged: state.acknowledged,
    ...(model.definition.passThrough && { pass_through: 'true' }),
  }
  const asking = { ...requestIdentity(context, model, run), isHinted: run.isHinted === true }
  const answer = context.transport.pull(model.name, query, asking)
  answer.catch(() => {}) // awaited later, or not at all
  return { sync: state.sync, token, answer }
}

/** Requests the next page while this one is applied. Not if there are outcomes, which have to be acknowledged first. */
function requestAhead(
  context: SyncContext,
  model: OpenModel,
  run: SyncRun,
  { sync }: PendingPull,
  page: ReadPage,
): PendingPull | undefined {
  const { sync: present, epoch } = model.state.get()
  const goesOn = page.more && !page.ends && page.outcomes === undefined
  if (!goesOn || present !== sync || (epoch !== null && epoch !== page.epoch) || run.signal.aborted) return undefined
  return request(context, model, run, { token: page.token })
}

/** Whether another page follows. After the rows, only outcomes do; before a push with the present numbers, they are none of this device's. */
const isMoreToCome = ({ state }: OpenModel, { more, ends }: ReadPage): boolean => more && !(ends && !state.get().pushed)

const isNext = ({ state }: OpenModel, page: ReadPage): boolean => state.get().token === page.token

/**
 * Stores a page. Rows may be lost in a power failure, along with their token; outcomes may not, since the server forgets acknowledged ones.
 * Undefined: the run was stopped before all rows were checked for removal.
 */
async function apply(
  engine: SyncContext,
  model: OpenModel,
  { sync, token }: PendingPull,
  { page, signal }: { readonly page: ReadPage; readonly signal: AbortSignal },
): Promise<AppliedAnswer | undefined> {
  const { database, models, now, watchesObjects } = engine
  const context = { models, model, sync, fromZero: token === null, now: now(), watched: watchesObjects() }
  let next: number | undefined = endsReplacement(context, page) ? 0 : undefined
  const isSwept = next !== undefined
  if (isSwept)
    await runInParts(engine, signal, isOver => {
      const part = sweepAhead(context, page, { after: next ?? 0, isOver })
      next = part.next
      return { isLast: next === undefined, events: part.events }
    })
  if (next !== undefined) return undefined
  const run = () => {
    const applied = applyPage(context, page, isSwept)
    const duplicates = applied.stale ? [] : duplicatesOf(database, model, page.eachInsert)
    const duplicateEvents = duplicates.map(one => ({ kind: 'duplicate', source: model.name, ...one }) as const)
    return { ...applied, events: [...applied.events, ...duplicateEvents] }
  }
  return page.outcomes === undefined ? database.transaction(run) : database.durable(run)
}

function progress(
  { events }: SyncContext,
  model: OpenModel,
  run: SyncRun,
  page: ReadPage,
  { stale }: AppliedAnswer,
): void {
  if (stale) return
  run.received += page.count
  if (page.count === 0 && !page.ends) return
  events.emit({
    kind: 'progress',
    source: model.name,
    page: page.count,
    received: page.progress_count,
    total: page.total_count,
    cumulative: run.received,
  })
}
