import type { ObjectMap } from '@godwit/protocol'
import { type CollectionId, MAX_BATCH, type Refused, type Replaced, type ReplaceOptions } from '@godwit/store'
import { judgeReplace, replacement } from '@godwit/store/history'
import type { Connection } from '../connection.js'
import type { Database } from '../database.js'
import { isLeased } from '../leases.js'
import { pause } from '../pause.js'
import { type CollectionRow, find } from './head.js'
import { type Replacing, stage } from './stage.js'
import { stageRemovals } from './stage-removals.js'
import { type Staged, Staging } from './staging.js'
import { type ObjectRow, type RowWrite, SELECT_OBJECT, writeBatch } from './write-batch.js'

type NotReplaced = Refused<'epoch' | 'fence' | 'share' | 'floor'>

const NOTE_SUCCESS = `
UPDATE collection SET served = max(served, ?), queriedAt = ?, nextQuery = ?, sourceError = NULL, asked = asked + ?
WHERE number = ?`

/** stage what differs → stage what goes → write in batches, changes first → note the success. */
export async function replace(
  database: Database,
  collection: CollectionId,
  { parts, options }: { readonly parts: AsyncIterable<ObjectMap>; readonly options: ReplaceOptions },
): Promise<Replaced | NotReplaced> {
  const staging = new Staging(database)
  try {
    const replacing = { database, collection, staging }
    const seen = await stage(replacing, parts)
    const spared = await stageRemovals(replacing, seen, options.since)
    return await write(replacing, options, spared)
  } finally {
    staging.close()
  }
}

/** How far the writing has come. */
interface Progress {
  readonly after: Staged | undefined
  readonly changed: number
  readonly removed: number
  readonly spared: number
}

async function write(replacing: Replacing, options: ReplaceOptions, spared: number): Promise<Replaced | NotReplaced> {
  let progress: Progress = { after: undefined, changed: 0, removed: 0, spared }
  for (;;) {
    const step: Progress | Replaced | NotReplaced = await replacing.database.write(connection =>
      writeStep(replacing, { connection, options, progress }),
    )
    if (!('after' in step)) return step
    progress = step
    await pause()
  }
}

interface Writing {
  readonly connection: Connection
  readonly options: ReplaceOptions
  readonly progress: Progress
}

/** One batch; with the last one goes the note of the success. */
function writeStep(replacing: Replacing, writing: Writing): Progress | Replaced | NotReplaced {
  const { connection, options } = writing
  const row = find(connection, replacing.collection)
  const refused = judge(replacing, row, writing)
  if (refused || !row) return refused ?? { refused: 'epoch' }
  const page = replacing.staging.page(writing.progress.after, MAX_BATCH)
  const { progress, version, count } = writePage(replacing, row, { ...writing, page })
  if (page.length === MAX_BATCH) return progress
  const { changed, removed, spared } = progress
  const values = [options.asked, replacing.database.now(), options.nextQuery ?? null, spared > 0 ? 1 : 0, row.number]
  connection.statement(NOTE_SUCCESS).run(...values)
  return { version, count, changed, removed, spared }
}

function judge(
  { database, collection, staging }: Replacing,
  row: CollectionRow | undefined,
  { connection, options, progress }: Writing,
): NotReplaced | undefined {
  const fenceHolds = isLeased(database, connection, { kind: 'query', collection }, options.fence)
  // The share is judged once, before anything is written.
  return judgeReplace(row, options, { fenceHolds, removals: progress.after ? 0 : staging.removals })
}

function writePage(
  { database }: Replacing,
  collection: CollectionRow,
  { connection, options, progress, page }: Writing & { readonly page: readonly Staged[] },
): { readonly progress: Progress; readonly version: number; readonly count: number } {
  const select = connection.statement<ObjectRow>(SELECT_OBJECT)
  const rows: RowWrite[] = []
  let { spared } = progress
  for (const { id, text } of page) {
    const present = select.get(collection.number, id)
    const verdict = replacement(present, text, options.since)
    if (verdict === 'spare') spared++
    if (verdict === 'write') rows.push({ id, present, text })
  }
  const { version, count } = writeBatch(database, connection, collection, rows)
  const removed = rows.filter(({ text }) => text === null).length
  return {
    progress: {
      after: page.at(-1),
      changed: progress.changed + rows.length - removed,
      removed: progress.removed + removed,
      spared,
    },
    version,
    count,
  }
}
