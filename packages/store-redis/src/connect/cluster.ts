import { createCluster } from 'redis'
import type { RedisAddress } from '../address.js'
import type { Primary, RedisHandle, Reply } from '../redis-handle.js'
import { Apart } from './apart.js'
import { Listening } from './listening.js'
import { BYTES, listOf, nodeOptions, PATIENCE } from './node-options.js'

/** A Cluster, found through any of its nodes. */
export async function connectCluster(address: RedisAddress): Promise<RedisHandle> {
  let connected = false
  const options = nodeOptions(address, () => connected)
  const cluster = createCluster({
    rootNodes: address.nodes.map(node => ({ socket: { ...options.socket, ...node } })),
    RESP: 2,
    defaults: options,
    commandOptions: { timeout: PATIENCE },
  })
  const apart = new Apart(() => cluster.duplicate())
  const listening = new Listening(cluster)
  cluster.on('error', () => undefined)
  for (const event of ['node-reconnecting', 'node-disconnect', 'sharded-channel-moved'])
    cluster.on(event, () => listening.broke())
  cluster.on('node-ready', () => listening.stands())
  await cluster.connect()
  connected = true
  return {
    send: (key, command) => cluster.sendCommand<Reply>(key, false, listOf(command)),
    sendForBytes: (key, command) => cluster.sendCommand(key, false, listOf(command), BYTES),
    sendInRow: async (key, commands) => {
      const row = (await apart.open()).multi()
      for (const command of commands) row.addCommand(key, false, listOf(command))
      return (await row.execAsPipeline()) as unknown as Reply[]
    },
    primaries: () =>
      Promise.all(
        cluster.masters.map(async (master): Promise<Primary> => {
          const client = await cluster.nodeClient(master)
          return command => client.sendCommand(listOf(command))
        }),
      ),
    subscribe: (channel, heard, lost) => listening.subscribe(channel, heard, lost),
    close: () => {
      apart.destroy()
      return cluster.close()
    },
    destroy: () => {
      apart.destroy()
      cluster.destroy()
    },
  }
}
