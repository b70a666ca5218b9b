import type { Attributes, ObjectId, ObjectMap } from '@godwit/protocol'
import type { CollectionId } from '@godwit/store'
import { attributesText, SeenIds, sameText, storedId } from '@godwit/store/history'
import type { SqliteConnection } from '../connection.js'
import type { Database } from '../database.js'
import { pause } from '../pause.js'
import { find } from './head.js'
import { type ObjectRow, SELECT_OBJECT } from './open-batch.js'
import type { Staging } from './staging.js'

/** How many objects are compared before the event loop continues. */
const BATCH_SIZE = 500

/** A query result that replaces a collection's objects. */
export interface QueryReplacement {
  readonly database: Database
  readonly collection: CollectionId
  readonly staging: Staging
}

/** Facts about a query result, complete once all of it was staged. */
export interface StagedResult {
  readonly ids: SeenIds
  /** How many of the ids exist in the collection. */
  live: number
  /** The collection's version at the first comparison. */
  version: number | undefined
}

/** Compares a streamed query result with the collection, and stages the differences. */
export async function stage(replacing: QueryReplacement, parts: AsyncIterable<ObjectMap>): Promise<StagedResult> {
  const seen: StagedResult = { ids: new SeenIds(), live: 0, version: undefined }
  for await (const part of parts) {
    const ids = Object.keys(part)
    for (let index = 0; index < ids.length; index += BATCH_SIZE) {
      const step = ids.slice(index, index + BATCH_SIZE)
      replacing.database.readNow(connection => compare(replacing, { connection, seen, ids: step, part }))
      await pause()
    }
  }
  return seen
}

interface CompareContext {
  readonly connection: SqliteConnection
  readonly seen: StagedResult
  readonly ids: readonly ObjectId[]
  readonly part: ObjectMap
}

function compare({ collection, staging }: QueryReplacement, { connection, seen, ids, part }: CompareContext): void {
  const row = find(connection, collection)
  seen.version ??= row?.version
  const select = connection.statement<ObjectRow>(SELECT_OBJECT)
  for (const given of ids) {
    const id = storedId(given)
    const text = attributesText(part[given] as Attributes)
    const present = row && select.get(row.number, id)?.text
    const lives = typeof present === 'string'
    const equal = lives && sameText(present, text)
    const isNew = seen.ids.record(id, equal ? present : text, !equal)
    if (!equal) staging.put(id, text)
    else if (!isNew) staging.takeBack(id)
    if (isNew && lives) seen.live++
  }
}
