import { createClient } from 'redis'
import type { RedisAddress } from '../address.js'
import type { Primary, RedisHandle, RedisReply } from '../redis-handle.js'
import { commandTimeout, NO_TIMEOUT } from './command-timeout.js'
import { connectInTime } from './connect-in-time.js'
import { ConnectionSubscriptions } from './connection-subscriptions.js'
import { BYTES, CONNECT_TIMEOUT, listOf, nodeOptions, WELCOME } from './node-options.js'
import { type OpenContext, RenewableConnection } from './renewable-connection.js'
import { renewableHandle } from './renewable-handle.js'
import { SideConnection } from './side-connection.js'

/** Connects to one server, and reconnects when it does not respond. */
export function connectSingle(address: RedisAddress): Promise<RedisHandle> {
  const open = (opening: OpenContext): Promise<RedisHandle> => {
    opening.letGo()
    return openSingle(address)
  }
  const renewed = new RenewableConnection(open, { hasOthers: false })
  return renewableHandle(renewed, renewed.first(0))
}

/** Connects to one server. With `broke`, a lost connection is not re-established: `broke` is called, since the caller may know of another server. */
export async function openSingle(address: RedisAddress, broke?: () => void): Promise<RedisHandle> {
  const [node] = address.nodes
  let connected = false
  const { socket, ...options } = nodeOptions(address, () => connected)
  const createConnection = (reconnectStrategy: typeof socket.reconnectStrategy | false = socket.reconnectStrategy) =>
    createClient({
      ...options,
      ...(address.database !== undefined && { database: address.database }),
      socket: { ...socket, ...node, reconnectStrategy },
      commandOptions: NO_TIMEOUT,
    }).on('error', () => undefined)
  const client = createConnection(broke && false)
  await connectInTime(client, CONNECT_TIMEOUT)
  connected = true
  if (broke) client.on('terminated', broke)
  const subscriber = createConnection()
  const listening = new ConnectionSubscriptions(subscriber)
  const apart = new SideConnection(createConnection)
  subscriber.on('reconnecting', () => listening.broke())
  subscriber.on('ready', () => listening.stands())
  const waiting = commandTimeout()
  const send: Primary = command => client.sendCommand(listOf(command), waiting())
  return {
    send: (_key, command) => send(command),
    sendForBytes: (_key, command) => client.sendCommand(listOf(command), { ...BYTES, ...waiting() }),
    sendInRow: (_key, commands) =>
      apart.use(async other => {
        const row = other.multi()
        for (const command of commands) row.addCommand(listOf(command))
        return (await row.execAsPipeline()) as unknown as RedisReply[]
      }),
    primaries: async () => [send],
    subscribe: async (channel, heard, lost) => {
      if (!subscriber.isOpen) await connectInTime(subscriber, WELCOME)
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
