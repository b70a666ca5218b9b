import type { CollectionId, Reader } from '@godwit/store'
import { compareIds } from '@godwit/store/history'
import type { RedisConnection } from '../connection.js'
import { enterUndecided } from '../journal/undecided-entries.js'
import type { RedisReply } from '../redis-handle.js'
import { recordReaderScript } from '../scripts/readers.js'
import { fieldsOf } from './head.js'
import { enterIndex } from './names.js'

export async function recordReader(
  connection: RedisConnection,
  collection: CollectionId,
  reader: string,
  base: number,
): Promise<void> {
  const progress = [reader.toWellFormed(), base]
  const recorded = await connection.run(recordReaderScript, connection.keys.of(collection), progress)
  const [isIndexed, isListed] = (recorded ?? []) as readonly number[]
  if (isIndexed === 0) await enterIndex(connection, collection)
  if (isListed === 0) await enterUndecided(connection, collection)
}

export async function readers(connection: RedisConnection, collection: CollectionId): Promise<readonly Reader[]> {
  const texts = await readAllReaders(connection, connection.keys.of(collection)('readers'))
  const recorded = [...texts].map(([reader, text]): Reader => {
    const [base, at] = text.split(' ').map(Number)
    return { reader, base: base ?? 0, at: at ?? 0 }
  })
  return recorded.sort((left, right) => compareIds(left.reader, right.reader))
}

/** How many readers one HSCAN step examines; a collection has one for each device. */
const BATCH_SIZE = 500

/** Reads all readers into a map, since a scan can return one twice. */
async function readAllReaders(connection: RedisConnection, key: string): Promise<ReadonlyMap<string, string>> {
  const all = new Map<string, string>()
  for (let cursor = '0'; ; ) {
    const answer = await connection.command(key, 'HSCAN', cursor, 'COUNT', BATCH_SIZE)
    const [next, found] = answer as readonly [string, RedisReply]
    for (const [reader, text = ''] of Object.entries(fieldsOf(found))) all.set(reader, text)
    if (next === '0') return all
    cursor = next
  }
}

export async function dropReader(connection: RedisConnection, collection: CollectionId, reader: string): Promise<void> {
  await connection.command(connection.keys.of(collection)('readers'), 'HDEL', reader.toWellFormed())
}
