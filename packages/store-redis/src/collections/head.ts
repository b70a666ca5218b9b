import type { SourceError } from '@godwit/protocol'
import type { CollectionId, Head, PendingRemovals } from '@godwit/store'
import type { RedisConnection } from '../connection.js'
import type { RedisReply } from '../redis-handle.js'
import { headScript, openScript } from '../scripts/open.js'
import { enterIndex } from './names.js'

export async function head(connection: RedisConnection, collection: CollectionId): Promise<Head | undefined> {
  return headOf(fieldsOf(await connection.run(headScript, connection.keys.of(collection))))
}

export async function open(connection: RedisConnection, collection: CollectionId): Promise<Head> {
  const { keys, randomId } = connection
  const opened = await connection.run(openScript, keys.of(collection), [randomId(), randomId()])
  const [fields, isIndexed] = opened as readonly [RedisReply, number]
  if (isIndexed === 0) await enterIndex(connection, collection)
  return headOf(fieldsOf(fields)) as Head
}

interface HeadFields {
  readonly [name: string]: string | undefined
}

/** Parses a hash from Redis' flat list of names and values. */
export function fieldsOf(reply: RedisReply): HeadFields {
  const list = reply as readonly string[]
  return Object.fromEntries(list.flatMap((name, at) => (at % 2 === 0 ? [[name, list[at + 1]]] : [])))
}

/** Parses the head from the fields of its hash; returns undefined for an empty hash. */
export function headOf(fields: HeadFields): Head | undefined {
  const { epoch = '', mark = '', checksum = '', queryRequestedAt, queriedAt, nextQuery, dueSetAt, sourceError } = fields
  const { pendingRemovals, acceptedRemovals } = fields
  if (fields['epoch'] === undefined) return undefined
  const count = (name: string) => Number(fields[name] ?? 0)
  return {
    ...{ epoch, mark, checksum },
    ...{ version: count('version'), count: count('count'), floor: count('floor') },
    ...{ queriesRequested: count('queriesRequested'), queriesServed: count('queriesServed') },
    ...(queryRequestedAt !== undefined && { queryRequestedAt: Number(queryRequestedAt) }),
    ...(queriedAt !== undefined && { queriedAt: Number(queriedAt) }),
    ...(nextQuery !== undefined && { nextQuery: Number(nextQuery) }),
    ...(dueSetAt !== undefined && { dueSetAt: Number(dueSetAt) }),
    readAt: count('readAt'),
    ...(sourceError !== undefined && { sourceError: JSON.parse(sourceError) as SourceError }),
    ...(pendingRemovals !== undefined && { pendingRemovals: JSON.parse(pendingRemovals) as PendingRemovals }),
    ...(acceptedRemovals !== undefined && { acceptedRemovals }),
  }
}
