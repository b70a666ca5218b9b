import { idLanes, type ObjectId } from '@godwit/protocol'
import type { AdvancedBatch, AdvanceOptions, Batch, CollectionId, RefusedWrite } from '@godwit/store'
import { attributesText, changesByObject, nextQueryAfter, type ObjectChange } from '@godwit/store/history'
import type { RedisConnection } from '../connection.js'
import { advanceScript } from '../scripts/advance.js'

type Refusal = RefusedWrite<'epoch' | 'fence' | 'floor' | 'cursor'>

type Reply = readonly [
  changed: number,
  version: number,
  mark: string,
  epoch: string,
  count: number,
  spared: readonly ObjectId[],
]

/** Applies reported changes, moves the cursor and records the end of a run, in one script. */
export async function advance(
  connection: RedisConnection,
  collection: CollectionId,
  { batch, options }: { readonly batch: Pick<Batch, 'replace' | 'remove'>; readonly options: AdvanceOptions },
): Promise<AdvancedBatch | Refusal> {
  const { epoch: expected, reader, fence, since, cursor, end } = options
  const moving = [cursor !== undefined, cursor?.previous ?? '', cursor?.next ?? '']
  const objects = [...changesByObject(batch)].flatMap(one => argumentsOf(...one))
  const values = [expected, reader, fence, since, connection.randomId(), ...moving]
  const ending = await endArguments(connection, end)
  const answer = await connection.run(advanceScript, connection.keys.of(collection), [...values, ...ending, ...objects])
  if (typeof answer === 'string') return { refused: answer as Refusal['refused'] }
  const [changed, version, mark, epoch, count, spared] = answer as unknown as Reply
  return { version, mark, epoch, changed, count, spared }
}

async function endArguments(
  connection: RedisConnection,
  end: AdvanceOptions['end'],
): Promise<readonly (string | number | boolean | undefined)[]> {
  if (end === undefined) return ['', '', '', '']
  const { nextQuery, nextQueryBefore } = nextQueryAfter(end, undefined, await connection.now())
  return [true, end.queriesRequested, nextQuery, nextQueryBefore]
}

function argumentsOf(id: ObjectId, { replace, remove }: ObjectChange): readonly string[] {
  const { high, low } = idLanes(id)
  return [id, `${high}`, `${low}`, remove || !replace ? '' : attributesText(replace)]
}

export async function cursor(connection: RedisConnection, collection: CollectionId): Promise<string | null> {
  const read = await connection.command(connection.keys.of(collection)('cursors'), 'HGET', 'cursor')
  return typeof read === 'string' ? read : null
}
