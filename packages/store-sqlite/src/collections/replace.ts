import type { ObjectMap } from '@godwit/protocol'
import {
  type CollectionId,
  MAX_BATCH,
  type PendingRemovals,
  type RefusedWrite,
  type ReplaceOptions,
  type ReplaceResult,
} from '@godwit/store'
import { judgeRemovals, judgeReplace, nextQueryAfter, replacement } from '@godwit/store/history'
import type { SqliteConnection } from '../connection.js'
import type { Database } from '../database.js'
import { isLeased } from '../leases.js'
import { pause } from '../pause.js'
import { find, headOf } from './head.js'
import { findOrMake } from './make.js'
import { OpenBatch } from './open-batch.js'
import { queryAgainAt } from './schedule.js'
import { type QueryReplacement, stage } from './stage.js'
import { stageRemovals } from './stage-removals.js'
import { type StagedChange, Staging } from './staging.js'

type ReplaceRefusal = RefusedWrite<'epoch' | 'fence' | 'floor'>

const RECORD_SUCCESS = `
UPDATE collection SET queriesServed = max(queriesServed, ?), queriedAt = ?, sourceError = NULL, queriesRequested = queriesRequested + ?,
  pendingRemovals = ?, acceptedRemovals = iif(? IS NULL, NULL, acceptedRemovals)
WHERE number = ?`

const QUERY = { kind: 'query' } as const

/** Stages the differences, then the removals; writes both in batches, changes first; then records the successful query. */
export async function replace(
  database: Database,
  collection: CollectionId,
  { parts, options }: { readonly parts: AsyncIterable<ObjectMap>; readonly options: ReplaceOptions },
): Promise<ReplaceResult | ReplaceRefusal> {
  const staging = new Staging(database)
  try {
    const replacing = { database, collection, staging }
    const seen = await stage(replacing, parts)
    const spared = await stageRemovals(replacing, seen, options.since)
    return await write(replacing, options, { spared, leavesNothing: seen.ids.size === 0 })
  } finally {
    staging.close()
  }
}

/** The progress of the writes. */
interface WriteProgress {
  readonly after: StagedChange | undefined
  readonly changed: number
  readonly removed: number
  readonly spared: number
  /** True if the result has no object. */
  readonly leavesNothing: boolean
  /** The removals to hold back, decided before the first write. */
  readonly pendingRemovals?: PendingRemovals | undefined
}

async function write(
  replacing: QueryReplacement,
  options: ReplaceOptions,
  staged: Pick<WriteProgress, 'spared' | 'leavesNothing'>,
): Promise<ReplaceResult | ReplaceRefusal> {
  let progress: WriteProgress = { after: undefined, changed: 0, removed: 0, ...staged }
  for (;;) {
    const step: WriteProgress | ReplaceResult | ReplaceRefusal = await replacing.database.write(connection =>
      writeStep(replacing, { connection, options, progress }),
    )
    if (!('after' in step)) return step
    progress = step
    await pause()
  }
}

interface WriteContext {
  readonly connection: SqliteConnection
  readonly options: ReplaceOptions
  readonly progress: WriteProgress
}

/** Writes at most one batch; the last step also records the successful query. */
function writeStep(replacing: QueryReplacement, writing: WriteContext): WriteProgress | ReplaceResult | ReplaceRefusal {
  const refused = judge(replacing, writing)
  if (refused) return refused
  let { progress } = writing
  if (!progress.after) progress = { ...progress, pendingRemovals: removalsToConfirm(replacing, writing) }
  for (let room = MAX_BATCH; room > 0; ) {
    const page = replacing.staging.page(progress.after, room)
    if (page.length === 0 || (page[0]?.removal === 1 && progress.pendingRemovals))
      return finish(replacing, { ...writing, progress })
    progress = writePage(replacing, { ...writing, progress, page })
    room -= page.length
  }
  return progress
}

function judge(
  { database, collection }: QueryReplacement,
  { connection, options }: WriteContext,
): ReplaceRefusal | undefined {
  const fenceHolds = isLeased(database, connection, { kind: 'query', collection }, options.fence)
  return judgeReplace(find(connection, collection), options, { fenceHolds })
}

function removalsToConfirm(
  { collection, staging }: QueryReplacement,
  { connection, options, progress: { leavesNothing } }: WriteContext,
): PendingRemovals | undefined {
  const row = find(connection, collection)
  return row && judgeRemovals(headOf(connection, row), options, { ids: staging.removals, leavesNothing })
}

/** Writes one page of changes or removals as a batch. */
function writePage(
  { database, collection }: QueryReplacement,
  { connection, options, progress, page }: WriteContext & { readonly page: readonly StagedChange[] },
): WriteProgress {
  const batch = new OpenBatch(database, connection, findOrMake(database, connection, collection)).from(QUERY)
  let { changed, removed, spared } = progress
  for (const { id, text } of page) {
    const present = batch.row(id)
    const verdict = replacement(present, text, options.since)
    if (verdict === 'spare') spared++
    if (verdict !== 'write') continue
    batch.put(id, present, text)
    if (text === null) removed++
    else changed++
  }
  batch.close()
  return { ...progress, after: page.at(-1), changed, removed, spared }
}

function finish(
  { database, collection }: QueryReplacement,
  { connection, options, progress }: WriteContext,
): ReplaceResult {
  const { number, version, count } = findOrMake(database, connection, collection)
  const { changed, removed, spared, pendingRemovals } = progress
  const pending = pendingRemovals ? JSON.stringify(pendingRemovals) : null
  connection
    .statement(RECORD_SUCCESS)
    .run(options.queriesRequested, database.now(), spared > 0 ? 1 : 0, pending, pending, number)
  queryAgainAt(connection, collection, nextQueryAfter(options, pendingRemovals, database.now()))
  return { version, count, changed, removed, spared, ...(pendingRemovals && { pendingRemovals }) }
}
