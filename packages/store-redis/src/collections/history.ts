import type { ObjectId } from '@godwit/protocol'
import type { ChangeOrigin, CollectionId, ObjectHistory, StoredObjectState } from '@godwit/store'
import { type LoggedChange, objectHistory } from '@godwit/store/history'
import type { RedisConnection } from '../connection.js'
import { forgetScript, historyScript, MAX_FORGOTTEN } from '../scripts/change-log.js'

type OriginFields = readonly [kind: ChangeOrigin['kind'], who: string, client: string] | null
type CommitFields = readonly [version: number, time: number, origin: OriginFields, previous: number | null]
type HistoryReply = readonly [state: StoredObjectState['state'], version: number, ...commits: readonly CommitFields[]]

/** Returns the history of one object. Commits never change, so a long chain can be read in several steps. */
export async function history(
  connection: RedisConnection,
  collection: CollectionId,
  { id, limit }: { readonly id: ObjectId; readonly limit: number },
): Promise<ObjectHistory> {
  const known = id.toWellFormed()
  const commits = new Map<number, LoggedChange>()
  const read = async (from: number | undefined) => {
    const given = [known, from, limit - commits.size]
    const [state, version, ...found] = (await connection.run(
      historyScript,
      connection.keys.of(collection),
      given,
    )) as unknown as HistoryReply
    for (const commit of found) commits.set(commit[0], changeOf(commit))
    return { state, version, last: found.at(-1)?.[3] ?? 0 }
  }
  const { state, version, last } = await read(undefined)
  for (let next = last; next !== 0 && commits.size < limit; next = (await read(Math.abs(next))).last);
  return objectHistory(presentOf(state, version), one => commits.get(one), { limit, now: await connection.now() })
}

/** Removes history past its retention time, in batches. */
export async function forgetHistory(connection: RedisConnection, collection: CollectionId): Promise<void> {
  const keys = connection.keys.of(collection)
  while (Number(await connection.run(forgetScript, keys, [])) === MAX_FORGOTTEN);
}

const presentOf = (state: StoredObjectState['state'], version: number): StoredObjectState =>
  state === 'live' ? { state, version, attributes: {} } : state === 'gone' ? { state, version } : { state }

const changeOf = ([, time, origin, previous]: CommitFields): LoggedChange => ({
  time,
  origin: origin === null ? undefined : originOf(origin),
  previous: previous ?? undefined,
})

function originOf([kind, who, client]: NonNullable<OriginFields>): ChangeOrigin {
  if (kind === 'query') return { kind }
  return kind === 'device' ? { kind, user: who, client } : { kind, login: who }
}
