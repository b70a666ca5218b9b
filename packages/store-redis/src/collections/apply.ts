import type { Applied, Batch, CollectionId, Guard, Refused } from '@godwit/store'
import { changesByObject } from '@godwit/store/history'
import type { Connection } from '../connection.js'
import { applyScript } from '../scripts/apply.js'
import { changeArguments } from './arguments.js'
import { enterIndex } from './names.js'

type Written = readonly [
  changed: number,
  version: number,
  mark: string,
  epoch: string,
  count: number,
  indexed: string | null,
]

export async function apply(
  connection: Connection,
  collection: CollectionId,
  batch: Batch,
  { epoch: expected }: Guard = {},
): Promise<Applied | Refused<'epoch'>> {
  const changes = [...changesByObject(batch)].flatMap(([id, change]) => changeArguments(id, change))
  const { keys, randomId } = connection
  const marks = [expected !== undefined, expected, randomId(), randomId(), randomId()]
  const written = (await connection.run(applyScript, keys.of(collection), [...marks, ...changes])) as Written | null
  if (!written) return { refused: 'epoch' }
  const [changed, version, mark, epoch, count, indexed] = written
  if (indexed === null) await enterIndex(connection, collection)
  return { version, mark, epoch, changed, count }
}
