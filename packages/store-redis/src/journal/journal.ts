import type { CollectionId, Journal } from '@godwit/store'
import type { Connection } from '../connection.js'
import type { Reply } from '../redis-handle.js'
import { acknowledgeScript, dropClientScript, releaseScript, retryScript } from '../scripts/release.js'
import { entriesScript, outcomesScript } from '../scripts/tell.js'
import { accept } from './accept.js'
import { type OutcomeFields, outcomeOf, told } from './entry.js'
import { settle } from './settle.js'
import { start } from './start.js'
import { undecided, undecidedOf } from './undecided.js'

/** So many mutations of a client are forgotten in one step. */
const STEP = 500

export function redisJournal(connection: Connection): Journal {
  return {
    accept: (id, acceptance) => accept(connection, id, acceptance),
    // What was accepted is as durable as Redis makes it, like everything else.
    flush: async () => undefined,
    start: (id, key, options) => start(connection, id, key, options),
    settle: (id, key, settlement) => settle(connection, id, key, settlement),
    undecided: page => undecided(connection, page),
    ...deciding(connection),
    ...telling(connection),
  }
}

const deciding = (connection: Connection): Pick<Journal, 'release' | 'retry' | 'acknowledge' | 'dropClient'> => ({
  release: async (id, key, { fence, to, retryAt, error }) => {
    const values = [key.toWellFormed(), fence, to, retryAt, error && JSON.stringify(error)]
    const released = await connection.run(releaseScript, connection.keys.of(id), values)
    return released === 1 ? 'released' : { refused: 'state' }
  },
  retry: async (id, key) => {
    const released = await connection.run(retryScript, connection.keys.of(id), [key.toWellFormed()])
    return released === 1 ? 'released' : { refused: 'state' }
  },
  acknowledge: async (id, client, through) => {
    await connection.run(acknowledgeScript, connection.keys.of(id), [client.toWellFormed(), through])
  },
  dropClient: async (id, client) => {
    const naming = connection.keys.of(id)
    for (let number: Reply | undefined; number !== 0; )
      number = await connection.run(dropClientScript, naming, [
        client.toWellFormed(),
        number as number | undefined,
        STEP,
      ])
  },
})

type OutcomesAnswer = readonly [last: number, given: readonly (readonly [number: number, outcome: OutcomeFields])[]]

const telling = (connection: Connection): Pick<Journal, 'outcomes' | 'entries' | 'queued'> => ({
  outcomes: async (id, client, { after, limit }) => {
    const answer = await connection.run(outcomesScript, connection.keys.of(id), [client.toWellFormed(), after, limit])
    const [last, given] = answer as unknown as OutcomesAnswer
    return { outcomes: given.map(([number, outcome]) => outcomeOf(number, outcome)), last }
  },
  entries: async (id, keys) => {
    const naming = connection.keys.of(id)
    const answer = await connection.run(
      entriesScript,
      naming,
      keys.map(key => key.toWellFormed()),
    )
    return entriesOf(answer, id)
  },
  queued: async (id, { client, after = 0, limit }) => {
    const { found } = await undecidedOf(connection, id, { state: 'queued', due: true, client, after, limit })
    return found.map(({ entry }) => entry)
  },
})

const entriesOf = (answer: Reply, id: CollectionId) => (answer as readonly Reply[]).map(entry => told(entry, id).entry)
