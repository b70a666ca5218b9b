import { createClient } from 'redis'
import type { RedisAddress } from '../address.js'
import type { Primary, RedisHandle, Reply } from '../redis-handle.js'
import { Apart } from './apart.js'
import { connectInTime } from './connect-in-time.js'
import { Listening } from './listening.js'
import { BYTES, CONNECT_TIMEOUT, listOf, nodeOptions, PATIENCE } from './node-options.js'

/** One server. */
export async function connectSingle(address: RedisAddress): Promise<RedisHandle> {
  const [node] = address.nodes
  let connected = false
  const options = nodeOptions(address, () => connected)
  const client = createClient({
    ...options,
    ...(address.database !== undefined && { database: address.database }),
    socket: { ...options.socket, ...node },
    commandOptions: { timeout: PATIENCE },
  })
  await connectInTime(client, CONNECT_TIMEOUT)
  connected = true
  const subscriber = client.duplicate()
  const listening = new Listening(subscriber)
  const apart = new Apart(() => client.duplicate())
  subscriber.on('error', () => undefined)
  subscriber.on('reconnecting', () => listening.broke())
  subscriber.on('ready', () => listening.stands())
  const send: Primary = command => client.sendCommand(listOf(command))
  return {
    send: (_key, command) => send(command),
    sendForBytes: (_key, command) => client.sendCommand(listOf(command), BYTES),
    sendInRow: async (_key, commands) => {
      const row = (await apart.open()).multi()
      for (const command of commands) row.addCommand(listOf(command))
      return (await row.execAsPipeline()) as unknown as Reply[]
    },
    primaries: async () => [send],
    subscribe: async (channel, heard, lost) => {
      if (!subscriber.isOpen) await subscriber.connect()
      return listening.subscribe(channel, heard, lost)
    },
    close: async () => {
      if (subscriber.isOpen) subscriber.destroy()
      apart.destroy()
      await client.close()
    },
    destroy: () => {
      if (subscriber.isOpen) subscriber.destroy()
      apart.destroy()
      if (client.isOpen) client.destroy()
    },
  }
}
