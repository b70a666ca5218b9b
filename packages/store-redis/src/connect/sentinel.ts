import { createSentinel } from 'redis'
import type { RedisAddress } from '../address.js'
import type { Primary, RedisHandle, Reply } from '../redis-handle.js'
import { Apart } from './apart.js'
import { Listening } from './listening.js'
import { BYTES, listOf, nodeOptions } from './node-options.js'

/** The primary that sentinels name. */
export async function connectSentinel(address: RedisAddress): Promise<RedisHandle> {
  let connected = false
  const options = nodeOptions(address, () => connected)
  const sentinel = createSentinel({
    name: address.service ?? '',
    sentinelRootNodes: address.nodes.map(node => ({ ...node })),
    RESP: 2,
    nodeClientOptions: options,
    sentinelClientOptions: { socket: options.socket },
    masterPoolSize: 1,
    // One connection for everybody at once: else those who come together wait for each other, and the last as long as there is somebody else.
    reserveClient: true,
    passthroughClientErrorEvents: true,
  })
  const apart = new Apart(() => sentinel.duplicate())
  const listening = new Listening(sentinel)
  sentinel.on('error', () => undefined)
  sentinel.on('topology-change', () => {
    listening.broke()
    listening.stands()
  })
  await sentinel.connect()
  connected = true
  const send: Primary = command => sentinel.sendCommand(false, listOf(command))
  return {
    send: (_key, command) => send(command),
    sendForBytes: (_key, command) => sentinel.sendCommand(false, listOf(command), BYTES),
    sendInRow: async (_key, commands) => {
      const row = (await apart.open()).multi()
      for (const command of commands) row.addCommand(false, listOf(command))
      return (await row.execAsPipeline()) as unknown as Reply[]
    },
    primaries: async () => [send],
    subscribe: (channel, heard, lost) => listening.subscribe(channel, heard, lost),
    close: () => {
      apart.destroy()
      return sentinel.close()
    },
    destroy: () => {
      apart.destroy()
      void sentinel.destroy()
    },
  }
}
