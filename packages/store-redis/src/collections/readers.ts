import type { CollectionId, Reader } from '@godwit/store'
import { compareIds } from '@godwit/store/history'
import type { Connection } from '../connection.js'
import { noteReaderScript } from '../scripts/readers.js'
import { fieldsOf } from './head.js'

export async function noteReader(
  connection: Connection,
  collection: CollectionId,
  reader: string,
  base: number,
): Promise<void> {
  await connection.run(noteReaderScript, connection.keys.of(collection), [reader.toWellFormed(), base])
}

export async function readers(connection: Connection, collection: CollectionId): Promise<readonly Reader[]> {
  const fields = fieldsOf(await connection.command(connection.keys.of(collection)('readers'), 'HGETALL'))
  const noted = Object.entries(fields).map(([reader, text = '']): Reader => {
    const [base, at] = text.split(' ').map(Number)
    return { reader, base: base ?? 0, at: at ?? 0 }
  })
  return noted.sort((left, right) => compareIds(left.reader, right.reader))
}

export async function dropReader(connection: Connection, collection: CollectionId, reader: string): Promise<void> {
  await connection.command(connection.keys.of(collection)('readers'), 'HDEL', reader.toWellFormed())
}
