import { idLanes, type ObjectId } from '@godwit/protocol'
import type { CollectionId } from '@godwit/store'
import { changeObject, type ObjectChange, type StoredText } from '@godwit/store/history'
import type { RedisConnection } from '../connection.js'
import type { RedisReply } from '../redis-handle.js'
import { commitScript, presentScript } from '../scripts/apply.js'
import { argumentsOfChange } from './arguments.js'

/** How many objects one step reads. */
const BATCH_SIZE = 250

/** A batch as the arguments of the script that applies it. */
export interface PreparedBatch {
  /** Script arguments: whether an epoch is expected, which one, the ids for a collection that is created, and the origin. */
  readonly guard: readonly (string | boolean | undefined)[]
  readonly changes: ReadonlyMap<ObjectId, ObjectChange>
}

interface ContendedBatch extends PreparedBatch {
  /** Objects that others changed during earlier attempts. Redis computes these itself while that is little work. */
  readonly contended: Set<ObjectId>
}

interface PresentObject {
  readonly version: number
  readonly text: StoredText
}

/**
 * Reads the present objects, computes the new ones and writes them. Returns `stale`, with nothing written, if others changed any of them meanwhile.
 */
export async function commit(
  connection: RedisConnection,
  collection: CollectionId,
  { guard, changes, contended }: ContendedBatch,
): Promise<RedisReply> {
  const ids = [...changes.keys()].filter(id => !contended.has(id))
  // At least one step, even without ids, since it also reads the epoch.
  const steps = Array.from({ length: Math.max(1, Math.ceil(ids.length / BATCH_SIZE)) }, (_, step) =>
    look(connection, collection, ids.slice(step * BATCH_SIZE, (step + 1) * BATCH_SIZE)),
  )
  const looks = await Promise.all(steps)
  const epoch = looks[0]?.epoch ?? ''
  if (looks.some(one => one.epoch !== epoch)) return 'stale'
  const seen = looks.flatMap(one => one.seen)
  const rows = ids.flatMap((id, at) => rowOf(id, seen[at] as PresentObject, changes.get(id) as ObjectChange))
  const others = [...contended].flatMap(id => argumentsOfChange(id, changes.get(id) as ObjectChange))
  const values = [...guard, epoch, ids.length, ...rows, ...others]
  const answer = await connection.run(commitScript, connection.keys.of(collection), values)
  if (answer === 'large') contended.clear()
  else if (!Array.isArray(answer) || answer[0] !== 'stale') return answer
  else for (const id of answer.slice(1)) contended.add(id)
  return 'stale'
}

async function look(connection: RedisConnection, collection: CollectionId, ids: readonly ObjectId[]) {
  const answer = await connection.run(presentScript, connection.keys.of(collection), ids)
  const [epoch, flat] = answer as readonly [string, readonly (number | string | null)[]]
  const seen = ids.map((_, at): PresentObject => {
    const version = Number(flat[2 * at])
    return { version, text: version === 0 ? undefined : (flat[2 * at + 1] as string | null) }
  })
  return { epoch, seen }
}

/** The script arguments of one object, or none if nothing changes. */
function rowOf(id: ObjectId, { version, text }: PresentObject, change: ObjectChange): readonly (string | number)[] {
  const { high, low } = idLanes(id)
  const changed = changeObject(text, change)
  const names = changed?.text === null ? ['g', 'r'] : ['e', 'w']
  const deed = changed ? (names[changed.equal ? 0 : 1] as string) : ''
  return [id, high, low, version, deed, changed?.text ?? '']
}
