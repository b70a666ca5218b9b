import type { CollectionId, NotStarted, Start, Started } from '@godwit/store'
import type { Connection } from '../connection.js'
import type { Reply } from '../redis-handle.js'
import { startScript } from '../scripts/start.js'
import { told } from './entry.js'

export async function start(
  connection: Connection,
  collection: CollectionId,
  key: string,
  { milliseconds }: Start,
): Promise<Started | NotStarted> {
  const answer = await connection.run(startScript, connection.keys.of(collection), [key.toWellFormed(), milliseconds])
  if (typeof answer === 'string') return { refused: answer as NotStarted['refused'] }
  const [fields = null, epoch] = answer as readonly Reply[]
  const { entry, fence, before = { state: 'never' } } = told(fields, collection)
  return { entry, epoch: `${epoch}`, fence, before }
}
