import type { CollectionId, Start, StartedMutation, StartRefusal } from '@godwit/store'
import type { RedisConnection } from '../connection.js'
import type { RedisReply } from '../redis-handle.js'
import type { ReplicatedWrite } from '../replicas.js'
import { takeBackScript } from '../scripts/release.js'
import { startScript } from '../scripts/start.js'
import { BatchedCalls } from './batched-calls.js'
import { entryWithFence } from './entry.js'
import { inTurn } from './in-turn.js'

/** Milliseconds after which a start that replicas did not confirm may be retried. */
const RETRY_DELAY = 1_000

interface StartRequest extends Start {
  readonly key: string
}

/** The script's reply for one mutation, with the facts shared by its batch. */
interface StartReply {
  readonly one: RedisReply
  readonly epoch: string
  readonly wrote: ReplicatedWrite
}

/**
 * Creates `start`. A durable start waits for replicas to confirm it before the backend is called, so that a promoted replica knows that the call
 * began.
 */
export function createStart(
  connection: RedisConnection,
): (collection: CollectionId, key: string, options: Start) => Promise<StartedMutation | StartRefusal> {
  const together = new BatchedCalls<StartRequest, StartReply>(
    (collection, all) => startAll(connection, collection, all),
    ({ key }) => key.length,
  )
  const { replicas, keys } = connection
  return async (collection, key, options) => {
    const { one, epoch, wrote } = await together.ask(collection, { key: key.toWellFormed(), ...options })
    if (typeof one === 'string') return { refused: one as StartRefusal['refused'] }
    const { entry, fence, before = { state: 'never' } } = entryWithFence(one, collection)
    if (!options.durable || (await replicas.have(wrote))) return { entry, epoch, fence, before }
    await connection.run(takeBackScript, keys.of(collection), [key.toWellFormed(), fence, RETRY_DELAY])
    return { refused: 'unconfirmed' }
  }
}

async function startAll(
  connection: RedisConnection,
  collection: CollectionId,
  all: readonly StartRequest[],
): Promise<readonly StartReply[]> {
  const { replicas, keys } = connection
  const asksReplicas = replicas.mustConfirm && all.some(({ durable }) => durable)
  const values = [asksReplicas, ...all.flatMap(({ key, milliseconds }) => [key, milliseconds])]
  const [facts, ...said] = (await inTurn(connection, collection, startScript, values)) as readonly RedisReply[]
  const [epoch, lineage, followed] = facts as readonly RedisReply[]
  const wrote = { key: keys.confirmed(collection), lineage: `${lineage}`, isFollowed: followed === 1 }
  return said.map(one => ({ one, epoch: `${epoch}`, wrote }))
}
