import type { ObjectId } from '@godwit/protocol'
import type { Coming } from '../copies/copy-rows.js'
import { CopyRows } from '../copies/copy-rows.js'
import type { OpenModel, OpenModels } from '../database/open-models.js'
import { highWaterOf, type SourceState } from '../database/source-states.js'
import { invalidValueEvents, objectEvents, type SdkEvent } from '../events/sdk-events.js'
import type { ReadPage } from '../http/read-page.js'
import { ObjectChanges } from '../live/object-changes.js'
import { rowWriterOf, ServerRows } from '../records/store-row.js'
import { type AppliedAnswer, STALE } from '../run/applied-answer.js'
import { restartSource } from '../run/restart-source.js'
import { type ApplyContext, applyOutcomes } from './apply-outcomes.js'
import { RENEWED, REPAIRED } from './repair-stages.js'

export interface PageContext {
  readonly models: OpenModels
  readonly model: OpenModel
  /** The source's sync number at the time of the request. */
  readonly sync: number
  /** Whether the request had no token. */
  readonly fromZero: boolean
  readonly now: string
  /** Whether changed objects are reported. */
  readonly watched: boolean
  /** The objects that later pages of the same response deliver, by the copies. */
  readonly coming?: Coming
  /** True if the request asked for no rows: token and pass do not change. */
  readonly hasOutcomesAlone?: boolean
}

/** Whether the pass that a page ends replaces the device's rows. If there are outcomes, they are applied first. */
export function endsReplacement({ model, sync, fromZero }: PageContext, page: ReadPage): boolean {
  if (!page.ends || page.outcomes !== undefined || model.rows.lastSeq() === 0) return false
  const known = model.state.get()
  if (known.sync !== sync || (known.epoch !== null && known.epoch !== page.epoch)) return false
  return isRunning(known, page) ? known.resync : fromZero || page.status === 'resync'
}

interface AheadSweep {
  readonly after: number
  readonly isOver: () => boolean
}

/**
 * Removes rows that neither a replacing pass nor its last page delivers, in parts before that page, inside the caller's transaction. The token stays,
 * so an interrupted pass ends with the same page again.
 */
export function sweepAhead(
  context: PageContext,
  page: ReadPage,
  { after, isOver }: AheadSweep,
): { readonly next: number | undefined; readonly events: readonly SdkEvent[] } {
  const events: SdkEvent[] = []
  if (!endsReplacement(context, page)) return { next: undefined, events }
  const { model, fromZero, watched } = context
  const state = goOn(model, { ...model.state.get(), epoch: page.epoch }, page, fromZero, events)
  const coming = new Set<ObjectId>()
  page.eachInsert(object => coming.add(object))
  const changes = watched ? new ObjectChanges() : undefined
  const rows = new ServerRows(model, state, changes)
  const next = rows.removeOtherPasses(after, isOver, coming)
  model.state.set({ ...state, checksum: rows.checksum })
  if (changes) events.push(...objectEvents(model.name, changes))
  return { next, events }
}

/**
 * Applies a page with its token, inside the caller's transaction: outcomes, then rows, then, at the end of a pass, removals of rows that it did not
 * deliver.
 *
 * The order matters. Outcomes come first because they end undecided changes: a row of the same page is then the newest state of the object and not
 * the base of a change. Removals come last because only the end of a pass shows which rows are missing. The token is stored in the same transaction,
 * so a page is applied completely or requested again. An answer to a request from before a reset carries an old `sync` number and is dropped.
 *
 * Example: a replacing pass 5 delivers `a` and `b` on its first page and `c` on its last. Rows from the server that still carry pass 4 are removed with
 * the last page; a row that the app created and has not sent stays, because it has no version.
 */
export function applyPage(
  { models, model, sync, fromZero, now, watched, coming, hasOutcomesAlone = false }: PageContext,
  page: ReadPage,
  isSwept = false,
): AppliedAnswer {
  const events: SdkEvent[] = []
  const known = model.state.get()
  if (known.sync !== sync) return STALE
  const otherEpoch = known.epoch !== null && known.epoch !== page.epoch
  const start = otherEpoch
    ? restartSource(model, { epoch: page.epoch, client: known.client, sync: known.sync })
    : { ...known, epoch: page.epoch }
  if (otherEpoch) events.push({ kind: 'resync', source: model.name, reason: 'epoch' })
  const state = hasOutcomesAlone ? start : goOn(model, start, page, fromZero, events)
  const changes = watched ? new ObjectChanges() : undefined
  model.invalidValues.take()
  const rows = rowWriterOf(model, state, { changes, coming })
  const context: ApplyContext = { models, model, rows, now, events, refusals: [] }
  const settled = state.pushed ? applyOutcomes(context, state, page.outcomes ?? []) : state
  if (hasOutcomesAlone) {
    model.state.set({ ...settled, checksum: rows.checksum })
    return { stale: false, events, refusals: context.refusals }
  }
  const highest = applyRows(context, page, settled.highest)
  const after = {
    ...settled,
    highest,
    token: page.token,
    total: page.total_count,
    schema: hear(context, page, settled.schema),
    staleSince: page.stale_since ?? null,
  }
  model.state.set(page.ends ? endPass(context, after, page, isSwept) : { ...after, checksum: context.rows.checksum })
  if (changes) events.push(...objectEvents(model.name, changes))
  events.push(...invalidValueEvents(model))
  const differs = page.checksum !== undefined && page.checksum !== context.rows.checksum
  return { stale: false, events, refusals: context.refusals, ...(differs && { differs }) }
}

const isRunning = ({ running, passName }: SourceState, { pass }: ReadPage): boolean => running && passName === pass

/** Continues the running pass, or starts a new one. One from zero replaces everything. */
function goOn(
  model: OpenModel,
  state: SourceState,
  page: ReadPage,
  fromZero: boolean,
  events: SdkEvent[],
): SourceState {
  if (isRunning(state, page)) return state
  const resync = fromZero || page.status === 'resync'
  model.tombstones.clear()
  if (page.status === 'resync' && events.length === 0)
    events.push({ kind: 'resync', source: model.name, reason: 'server' })
  if (resync) model.text?.pause()
  const base = resync ? 0 : state.base
  const highWater = resync ? highWaterOf(state) : state.highWater
  return { ...state, passName: page.pass, pass: state.pass + 1, running: true, resync, base, highest: base, highWater }
}

function applyRows({ rows }: ApplyContext, page: ReadPage, from: number): number {
  let highest = from
  page.eachInsert((object, version, attributes) => {
    rows.put(object, version, attributes)
    if (version > highest) highest = version
  })
  page.eachDelete((object, version) => {
    rows.remove(object, version)
    if (version > highest) highest = version
  })
  return highest
}

function endPass(
  { model, rows, now, events }: ApplyContext,
  state: SourceState,
  page: ReadPage,
  isSwept: boolean,
): SourceState {
  if (rows instanceof CopyRows) endCopyPass(rows, state, page.head)
  else if (state.resync && !isSwept) rows.removeOtherPasses()
  model.tombstones.clear()
  const ended = {
    ...state,
    running: false,
    resync: false,
    // A pass from zero omits earlier removals, so its highest version may be below the head.
    base: Math.max(state.highest, page.head ?? 0),
    highWater: null,
    refreshed: now,
    checksum: rows.checksum,
  }
  if (page.checksum === undefined || page.checksum === rows.checksum) return { ...ended, mended: 0 }
  if (state.mended !== REPAIRED) return ended
  // The checksum differs again after a repair.
  events.push({ kind: 'resync', source: model.name, reason: 'checksum' })
  return { ...ended, token: null, mended: RENEWED }
}

/** Visitors end with any whole pass; one from zero ends what it did not deliver. */
function endCopyPass(rows: CopyRows, { resync }: SourceState, head = 0): void {
  if (resync) rows.removeOtherPasses(0, undefined, undefined, head)
  rows.endVisitors()
}

function hear({ model, events }: ApplyContext, { schema, source_error }: ReadPage, known: string): string {
  if (source_error) events.push({ kind: 'error', source: model.name, error: source_error })
  const text = schema ? JSON.stringify(schema) : known
  if (known !== '' && text !== known) events.push({ kind: 'schema', source: model.name })
  return text
}
