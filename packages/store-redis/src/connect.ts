import { isSyncError, SyncError } from '@godwit/protocol'
import { createClient, createCluster, createSentinel, RESP_TYPES } from 'redis'
import type { RedisAddress } from './address.js'
import { Apart } from './apart.js'
import { assertUsable } from './assert-usable.js'
import { asStoreError } from './failure.js'
import { Listening } from './listening.js'
import type { Command, Primary, RedisHandle, Reply } from './redis-handle.js'

/** How long a command waits for a connection that is being made again, in milliseconds. It was not sent: nothing can have been done. */
const PATIENCE = 3_000

const CONNECT_TIMEOUT = 5_000

/** Attempts before the first connection is given up. */
const FIRST_ATTEMPTS = 3

/**
 * A connection to a Redis of version 7.0 or newer. Rejects with `store_unavailable` when it cannot be reached, is a read-only replica, may evict,
 * is too old or refuses scripts.
 */
export async function connect(address: RedisAddress): Promise<RedisHandle> {
  let handle: RedisHandle | undefined
  try {
    handle = await CONNECT[address.kind](address)
    await assertUsable(handle)
    return handle
  } catch (error) {
    await handle?.close().catch(() => undefined)
    throw cannotConnect(address, error)
  }
}

/** Makes texts of answers bytes. */
const BYTES = { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } } as const

const CONNECT: Record<RedisAddress['kind'], (address: RedisAddress) => Promise<RedisHandle>> = {
  single: connectSingle,
  sentinel: connectSentinel,
  cluster: connectCluster,
}

async function connectSingle(address: RedisAddress): Promise<RedisHandle> {
  const [node] = address.nodes
  let connected = false
  const options = nodeOptions(address, () => connected)
  const client = createClient({
    ...options,
    ...(address.database !== undefined && { database: address.database }),
    socket: { ...options.socket, ...node },
    commandOptions: { timeout: PATIENCE },
  })
  client.on('error', () => undefined)
  await client.connect()
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

async function connectSentinel(address: RedisAddress): Promise<RedisHandle> {
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

async function connectCluster(address: RedisAddress): Promise<RedisHandle> {
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

/** `connected`: from then on a lost connection is made again for as long as it takes. */
function nodeOptions({ tls, username, password }: RedisAddress, connected: () => boolean) {
  const reconnectStrategy = (retries: number) => {
    if (!connected() && retries >= FIRST_ATTEMPTS) return false
    return Math.min(50 * 2 ** retries, 1_000) + Math.floor(Math.random() * 100)
  }
  const socket = { connectTimeout: CONNECT_TIMEOUT, reconnectStrategy }
  return {
    RESP: 2 as const,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    socket: tls ? { ...socket, tls: true as const } : socket,
  }
}

function cannotConnect({ nodes }: RedisAddress, cause: unknown): unknown {
  if (isSyncError(cause) && cause.code !== 'store_unavailable') return cause
  const reason = (asStoreError(cause) as Error).message
  const where = nodes.map(({ host, port }) => `${host}:${port}`).join(', ')
  return new SyncError('store_unavailable', `Cannot use the Redis at ${where}: ${reason}`, { cause, retryable: false })
}

/** As the client takes them; bytes without a copy. */
const listOf = (command: Command): (string | Buffer)[] =>
  command.map(one => (typeof one === 'string' ? one : Buffer.from(one.buffer, one.byteOffset, one.byteLength)))
