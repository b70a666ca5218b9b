import { randomUUID } from 'node:crypto'
import { createCluster } from 'redis'
import type { RedisAddress } from '../address.js'
import type { Primary, RedisHandle, RedisReply } from '../redis-handle.js'
import { commandTimeout, NO_TIMEOUT } from './command-timeout.js'
import { connectInTime } from './connect-in-time.js'
import { ConnectionSubscriptions } from './connection-subscriptions.js'
import { BYTES, CONNECT_TIMEOUT, listOf, nodeOptions, WELCOME } from './node-options.js'
import { RenewableConnection } from './renewable-connection.js'
import { renewableHandle } from './renewable-handle.js'
import { SideConnection } from './side-connection.js'

/** A number of random keys that almost certainly covers every server of a Cluster. */
const KEYS_OVER_ALL_SERVERS = 100

/** Connects to a Cluster through any of its nodes, and reconnects when one of its primaries does not respond. */
export function connectCluster(address: RedisAddress): Promise<RedisHandle> {
  const renewed = new RenewableConnection(() => openCluster(address), { hasOthers: true })
  return renewableHandle(renewed, renewed.first(0))
}

async function openCluster(address: RedisAddress): Promise<RedisHandle> {
  let connected = false
  const options = nodeOptions(address, () => connected)
  const cluster = createCluster({
    // The client asks a node for the others over a separate connection; after the timeout it tries the next node.
    rootNodes: address.nodes.map(node => ({ socket: { ...options.socket, ...node, socketTimeout: WELCOME } })),
    RESP: 2,
    defaults: options,
    commandOptions: NO_TIMEOUT,
  })
  const apart = new SideConnection(() => cluster.duplicate())
  const listening = new ConnectionSubscriptions(cluster)
  for (const event of ['node-reconnecting', 'node-disconnect', 'sharded-channel-moved'])
    cluster.on(event, () => listening.broke())
  cluster.on('node-ready', () => listening.stands())
  cluster.on('error', () => undefined)
  await connectInTime(cluster, CONNECT_TIMEOUT + address.nodes.length * WELCOME)
  connected = true
  const waiting = commandTimeout()
  // For a slot without a known server the client throws a TypeError and sends nothing. A command to any server gets a redirect, upon which the client
  // refreshes its slots.
  const withKnownSlot = <Result>(key: string, send: () => Promise<Result>): Promise<Result> =>
    send().catch(async error => {
      if (!(error instanceof TypeError)) throw error
      await cluster.sendCommand(undefined, true, ['TYPE', key], waiting())
      return send()
    })
  // A former primary refuses writes. A redirect for a key that it no longer has makes the client refresh its slots.
  const typeOf = (key: string) => cluster.sendCommand(key, true, ['TYPE', key], waiting())
  const refreshSlots = () =>
    Promise.allSettled(Array.from({ length: KEYS_OVER_ALL_SERVERS }, () => typeOf(randomUUID())))
  return {
    send: (key, command) =>
      withKnownSlot(key, () => cluster.sendCommand<RedisReply>(key, false, listOf(command), waiting())),
    sendForBytes: (key, command) =>
      withKnownSlot(key, () => cluster.sendCommand(key, false, listOf(command), { ...BYTES, ...waiting() })),
    sendInRow: (key, commands) =>
      apart.use(async other => {
        const row = other.multi()
        for (const command of commands) row.addCommand(key, false, listOf(command))
        return (await row.execAsPipeline()) as unknown as RedisReply[]
      }),
    primaries: () =>
      Promise.all(
        cluster.masters.map(async (master): Promise<Primary> => {
          const client = await cluster.nodeClient(master)
          return command =>
            client.sendCommand<RedisReply>(listOf(command), waiting()).catch(async error => {
              if (/^READONLY/.test(String(error?.message))) await refreshSlots()
              throw error
            })
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
