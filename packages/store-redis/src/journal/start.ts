import type { CollectionId, NotStarted, Start, Started } from '@godwit/store'
import type { Connection } from '../connection.js'
import type { Reply } from '../redis-handle.js'
import { takeBackScript } from '../scripts/release.js'
import { startScript } from '../scripts/start.js'
import { told } from './entry.js'
import { inTurn } from './in-turn.js'

/** After so many milliseconds a start that replicas did not confirm may be tried again. */
const PUT_OFF = 1_000

/** Where it has to be durable, it is known to replicas before anybody is called: the one that takes over then knows that a call began. */
export async function start(
  connection: Connection,
  collection: CollectionId,
  key: string,
  { milliseconds, durable }: Start,
): Promise<Started | NotStarted> {
  const { replicas, keys } = connection
  const values = [key.toWellFormed(), milliseconds, durable && replicas.areAsked]
  const answer = await inTurn(connection, collection, startScript, values)
  if (typeof answer === 'string') return { refused: answer as NotStarted['refused'] }
  const [fields = null, epoch, lineage, followed] = answer as readonly Reply[]
  const { entry, fence, before = { state: 'never' } } = told(fields, collection)
  const wrote = { key: keys.confirmed(collection), lineage: `${lineage}`, isFollowed: followed === 1 }
  if (!durable || (await replicas.have(wrote))) return { entry, epoch: `${epoch}`, fence, before }
  await connection.run(takeBackScript, keys.of(collection), [key.toWellFormed(), fence, PUT_OFF])
  return { refused: 'unconfirmed' }
}
