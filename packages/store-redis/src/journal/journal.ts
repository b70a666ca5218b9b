import type { CollectionId, Journal, JournalEntry } from '@godwit/store'
import type { RedisConnection } from '../connection.js'
import type { RedisReply } from '../redis-handle.js'
import { entriesScript } from '../scripts/list-entries.js'
import { acknowledgeScript, dropClientScript, releaseScript, retryScript } from '../scripts/release.js'
import { accept } from './accept.js'
import { entryWithFence } from './entry.js'
import { inTurn } from './in-turn.js'
import { outcomes } from './outcomes.js'
import { createSettle } from './settle.js'
import { createStart } from './start.js'
import { listUndecided, undecidedOf } from './undecided-entries.js'

/** How many mutations of a client one step deletes or reads. */
const BATCH_SIZE = 150

export function redisJournal(connection: RedisConnection): Journal {
  return {
    accept: (id, acceptance) => accept(connection, id, acceptance),
    // Durability depends on Redis' own settings, so there is nothing to flush.
    flush: async () => undefined,
    start: createStart(connection),
    settle: createSettle(connection),
    undecided: page => listUndecided(connection, page),
    ...decisionMethods(connection),
    ...readMethods(connection),
  }
}

const decisionMethods = (
  connection: RedisConnection,
): Pick<Journal, 'release' | 'retry' | 'acknowledge' | 'dropClient'> => ({
  release: async (id, key, { fence, to, retryIn, error }) => {
    const values = [key.toWellFormed(), fence, to, retryIn, error && JSON.stringify(error)]
    const queryRequest = Number(await inTurn(connection, id, releaseScript, values))
    if (queryRequest < 0) return { refused: 'state' }
    return to === 'in_doubt' ? { released: to, queryRequest } : { released: to }
  },
  retry: async (id, key) => {
    const released = await inTurn(connection, id, retryScript, [key.toWellFormed()])
    return released === 1 ? 'released' : { refused: 'state' }
  },
  acknowledge: async (id, client, through) => {
    const values = [client.toWellFormed(), through]
    while ((await connection.run(acknowledgeScript, connection.keys.of(id), values)) !== 1);
  },
  dropClient: async (id, client) => {
    for (let left: readonly (number | undefined)[] = [undefined, undefined]; left[0] !== 0 || left[1] !== 0; )
      left = (await inTurn(connection, id, dropClientScript, [
        client.toWellFormed(),
        ...left,
        BATCH_SIZE,
      ])) as typeof left
  },
})

const readMethods = (connection: RedisConnection): Pick<Journal, 'outcomes' | 'entries' | 'queued'> => ({
  outcomes: (id, client, page) => outcomes(connection, id, client, page),
  entries: (id, keys) => entries(connection, id, keys),
  queued: async (id, { client, after = 0, limit }) => {
    const { found } = await undecidedOf(connection, id, { state: 'queued', due: true, client, after, limit })
    return found.map(({ entry }) => entry)
  },
})

async function entries(connection: RedisConnection, id: CollectionId, keys: readonly string[]) {
  const entries: JournalEntry[] = []
  for (let from = 0; from < keys.length; ) {
    const values = keys.slice(from, from + BATCH_SIZE).map(key => key.toWellFormed())
    const answer = await connection.run(entriesScript, connection.keys.of(id), values)
    const [looked, found] = answer as readonly [number, readonly RedisReply[]]
    entries.push(...found.map(entry => entryWithFence(entry, id).entry))
    from += looked
  }
  return entries
}
