import type { Applied, Batch, CollectionId, Guard, Refused } from '@godwit/store'
import { changesByObject } from '@godwit/store/history'
import type { Connection } from '../connection.js'
import type { Reply } from '../redis-handle.js'
import { applyScript } from '../scripts/apply.js'
import { changeArguments } from './arguments.js'
import { enterIndex } from './names.js'
import { commit, type Writing } from './prepared.js'

type Written = readonly [
  changed: number,
  version: number,
  mark: string,
  epoch: string,
  count: number,
  indexed: string | null,
]

/** Up to so many objects are worked out within Redis, as long as that is little work. */
const FEW = 50

/** How often what was worked out outside may turn out to be of yesterday. */
const ATTEMPTS = 5

/** One atomic step. What few objects become Redis works out itself; a larger batch is worked out here, and written if all is still as it was seen. */
export async function apply(
  connection: Connection,
  collection: CollectionId,
  batch: Batch,
  { epoch: expected }: Guard = {},
): Promise<Applied | Refused<'epoch'>> {
  const { randomId } = connection
  const guard = [expected !== undefined, expected, randomId(), randomId(), randomId()]
  const written = await write(connection, collection, { guard, changes: changesByObject(batch) })
  if (!written) return { refused: 'epoch' }
  const [changed, version, mark, epoch, count, indexed] = written as unknown as Written
  if (indexed === null) await enterIndex(connection, collection)
  return { version, mark, epoch, changed, count }
}

async function write(connection: Connection, collection: CollectionId, writing: Writing): Promise<Reply> {
  const { guard, changes } = writing
  const values = (isBounded: boolean) => [...guard, isBounded, ...[...changes].flatMap(one => changeArguments(...one))]
  if (changes.size <= FEW) {
    const written = await connection.run(applyScript, connection.keys.of(collection), values(true))
    if (written !== 'large') return written
  }
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const written = await commit(connection, collection, writing)
    if (written !== 'stale') return written
  }
  // Others write the same objects all the time: right, whatever it takes.
  return connection.run(applyScript, connection.keys.of(collection), values(false))
}
