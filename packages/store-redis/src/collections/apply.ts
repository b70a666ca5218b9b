import type { ObjectId } from '@godwit/protocol'
import type { AppliedBatch, ApplyOptions, Batch, CollectionId, RefusedWrite } from '@godwit/store'
import { changesByObject } from '@godwit/store/history'
import type { RedisConnection } from '../connection.js'
import type { RedisReply } from '../redis-handle.js'
import { retryWhileStale } from '../retry-while-stale.js'
import { applyScript } from '../scripts/apply.js'
import { argumentsOfChange } from './arguments.js'
import { enterIndex } from './names.js'
import { commit, type PreparedBatch } from './prepared-batch.js'

type ApplyReply = readonly [
  changed: number,
  version: number,
  mark: string,
  epoch: string,
  count: number,
  isIndexed: number,
]

/** How many objects a script compares within Redis at most, if they are small. */
const MAX_COMPARED = 50

/**
 * Applies a batch in one atomic step. Redis computes small batches itself; larger ones are computed here and written only if the objects are
 * unchanged.
 */
export async function apply(
  connection: RedisConnection,
  collection: CollectionId,
  batch: Batch,
  { epoch: expected, origin }: ApplyOptions = {},
): Promise<AppliedBatch | RefusedWrite<'epoch'>> {
  const { randomId } = connection
  const guard = [expected !== undefined, expected, randomId(), randomId(), randomId(), origin?.kind, origin?.login]
  const written = await write(connection, collection, { guard, changes: changesByObject(batch) })
  if (!written) return { refused: 'epoch' }
  const [changed, version, mark, epoch, count, isIndexed] = written as unknown as ApplyReply
  if (isIndexed === 0) await enterIndex(connection, collection)
  return { version, mark, epoch, changed, count }
}

async function write(
  connection: RedisConnection,
  collection: CollectionId,
  writing: PreparedBatch,
): Promise<RedisReply> {
  const { guard, changes } = writing
  if (changes.size <= MAX_COMPARED) {
    const values = [...changes].flatMap(one => argumentsOfChange(...one))
    const written = await connection.run(applyScript, connection.keys.of(collection), [...guard, ...values])
    if (written !== 'large') return written
  }
  const contended = new Set<ObjectId>()
  return retryWhileStale(() => commit(connection, collection, { ...writing, contended }))
}
