import type { CollectionId, NotStarted, Start, Started } from '@godwit/store'
import type { Connection } from '../connection.js'
import type { Reply } from '../redis-handle.js'
import type { Wrote } from '../replicas.js'
import { takeBackScript } from '../scripts/release.js'
import { startScript } from '../scripts/start.js'
import { Together } from './batched-calls.js'
import { told } from './entry.js'
import { inTurn } from './in-turn.js'

/** Milliseconds after which a start that replicas did not confirm may be tried again. */
const PUT_OFF = 1_000

interface Starting extends Start {
  readonly key: string
}

/** What the script said of one, with what is the same for all of a step. */
interface Said {
  readonly one: Reply
  readonly epoch: string
  readonly wrote: Wrote
}

/** Where it has to be durable, it is known to replicas before anybody is called: the one that takes over then knows that a call began. */
export function starting(
  connection: Connection,
): (collection: CollectionId, key: string, options: Start) => Promise<Started | NotStarted> {
  const together = new Together<Starting, Said>(
    (collection, all) => startAll(connection, collection, all),
    ({ key }) => key.length,
  )
  const { replicas, keys } = connection
  return async (collection, key, options) => {
    const { one, epoch, wrote } = await together.ask(collection, { key: key.toWellFormed(), ...options })
    if (typeof one === 'string') return { refused: one as NotStarted['refused'] }
    const { entry, fence, before = { state: 'never' } } = told(one, collection)
    if (!options.durable || (await replicas.have(wrote))) return { entry, epoch, fence, before }
    await connection.run(takeBackScript, keys.of(collection), [key.toWellFormed(), fence, PUT_OFF])
    return { refused: 'unconfirmed' }
  }
}

async function startAll(
  connection: Connection,
  collection: CollectionId,
  all: readonly Starting[],
): Promise<readonly Said[]> {
  const { replicas, keys } = connection
  const asksReplicas = replicas.areAsked && all.some(({ durable }) => durable)
  const values = [asksReplicas, ...all.flatMap(({ key, milliseconds }) => [key, milliseconds])]
  const [facts, ...said] = (await inTurn(connection, collection, startScript, values)) as readonly Reply[]
  const [epoch, lineage, followed] = facts as readonly Reply[]
  const wrote = { key: keys.confirmed(collection), lineage: `${lineage}`, isFollowed: followed === 1 }
  return said.map(one => ({ one, epoch: `${epoch}`, wrote }))
}
