import type { CollectionId } from '@godwit/store'
import type { RedisConnection } from '../connection.js'
import type { RedisReply } from '../redis-handle.js'
import { PASSING } from '../scripts/decided-creates.js'
import type { JOURNAL_KEYS } from '../scripts/journal.js'
import type { Script } from '../scripts/script.js'
import { passOnScript } from '../scripts/settle.js'

/** Runs a script that reads dependent mutations. Earlier decisions, of any process, are passed on to their dependents first. */
export async function inTurn(
  connection: RedisConnection,
  collection: CollectionId,
  script: Script<(typeof JOURNAL_KEYS)[number]>,
  values: Parameters<RedisConnection['run']>[2],
): Promise<RedisReply> {
  for (;;) {
    const answer = await connection.run(script, connection.keys.of(collection), values)
    if (answer !== PASSING) return answer
    await passOn(connection, collection)
  }
}

/** Passes decisions on to all dependents, a limited number in each step. Returns how many were refused. */
export async function passOn(connection: RedisConnection, collection: CollectionId): Promise<number> {
  for (let refused = 0; ; ) {
    const step = await connection.run(passOnScript, connection.keys.of(collection))
    const [more = 0, isAll] = step as readonly number[]
    refused += more
    if (isAll === 1) return refused
  }
}
