import { type Attributes, emptyRecord, type ObjectId, type ObjectMap } from '@godwit/protocol'
import type { CollectionId, RowPage, StoredObjectState } from '@godwit/store'
import { parseAttributes } from '@godwit/store/history'
import type { RedisConnection } from '../connection.js'
import { afterText } from '../names.js'
import { listScript, lookScript } from '../scripts/read.js'
import { rowsOf } from './changes.js'

/** How many objects one command reads. */
const BATCH_SIZE = 250

export async function get(
  connection: RedisConnection,
  collection: CollectionId,
  ids: readonly ObjectId[],
): Promise<ObjectMap> {
  const key = connection.keys.of(collection)('objects')
  const known = ids.map(id => id.toWellFormed())
  const steps = Array.from({ length: Math.ceil(known.length / BATCH_SIZE) }, (_, step) =>
    known.slice(step * BATCH_SIZE, (step + 1) * BATCH_SIZE),
  )
  const texts = (await Promise.all(steps.map(step => connection.command(key, 'HMGET', ...step)))).flat() as string[]
  const objects = emptyRecord<Attributes>()
  for (const [at, id] of known.entries()) {
    const text = texts[at]
    if (typeof text === 'string') objects[id] = parseAttributes(text)
  }
  return objects
}

export async function look(
  connection: RedisConnection,
  collection: CollectionId,
  id: ObjectId,
): Promise<StoredObjectState> {
  const found = await connection.run(lookScript, connection.keys.of(collection), [id.toWellFormed()])
  return presentOf(found as FoundRow | null)
}

/** The reply of `lookScript`. The text is null for a tombstone. */
export type FoundRow = readonly [version: number, text: string | null]

/** Parses the reply of `lookScript`; null means that the object never existed. */
export function presentOf(found: FoundRow | null): StoredObjectState {
  if (!found) return { state: 'never' }
  const [version, text] = found
  return text === null ? { state: 'gone', version } : { state: 'live', version, attributes: parseAttributes(text) }
}

export async function list(
  connection: RedisConnection,
  collection: CollectionId,
  { after, limit }: { readonly after?: ObjectId | undefined; readonly limit: number },
): Promise<RowPage> {
  const answer = await connection.run(listScript, connection.keys.of(collection), [afterText(after), limit])
  const [flat, more] = answer as readonly [readonly (string | number | null)[], number]
  return { rows: rowsOf(flat), more: more === 1 }
}
