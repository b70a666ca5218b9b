import type { CollectionId, Reader } from '@godwit/store'
import { compareIds } from '@godwit/store/history'
import type { Connection } from '../connection.js'
import { enterUndecided } from '../journal/undecided.js'
import type { Reply } from '../redis-handle.js'
import { noteReaderScript } from '../scripts/readers.js'
import { fieldsOf } from './head.js'
import { enterIndex } from './names.js'

export async function noteReader(
  connection: Connection,
  collection: CollectionId,
  reader: string,
  base: number,
): Promise<void> {
  const note = [reader.toWellFormed(), base]
  const noted = await connection.run(noteReaderScript, connection.keys.of(collection), note)
  const [isIndexed, isListed] = (noted ?? []) as readonly number[]
  if (isIndexed === 0) await enterIndex(connection, collection)
  if (isListed === 0) await enterUndecided(connection, collection)
}

export async function readers(connection: Connection, collection: CollectionId): Promise<readonly Reader[]> {
  const fields = await allOf(connection, connection.keys.of(collection)('readers'))
  const noted = Object.entries(fields).map(([reader, text = '']): Reader => {
    const [base, at] = text.split(' ').map(Number)
    return { reader, base: base ?? 0, at: at ?? 0 }
  })
  return noted.sort((left, right) => compareIds(left.reader, right.reader))
}

/** A collection has as many as there are devices: so many at a time. */
const STEP = 500

async function allOf(connection: Connection, key: string): Promise<ReturnType<typeof fieldsOf>> {
  const all: ReturnType<typeof fieldsOf>[] = []
  for (let cursor = '0'; ; ) {
    const answer = await connection.command(key, 'HSCAN', cursor, 'COUNT', STEP)
    const [next, found] = answer as readonly [string, Reply]
    all.push(fieldsOf(found))
    if (next === '0') return Object.assign({}, ...all)
    cursor = next
  }
}

export async function dropReader(connection: Connection, collection: CollectionId, reader: string): Promise<void> {
  await connection.command(connection.keys.of(collection)('readers'), 'HDEL', reader.toWellFormed())
}
