import { redisUrl, startRedis } from '@godwit/testing'
import { createClient, RESP_TYPES } from 'redis'
import type { StoreDisk, StoreDiskOptions } from '../store-disk.js'
import { redisStoreDisk } from './redis-store-disk.js'
import { type RedisLink, ReplyQueue } from './reply-queue.js'

/** The client's timeouts are disabled, because they would run on virtual time. */
const WITHOUT_TIMEOUT = { timeout: 0 }
const BYTE_REPLIES = { ...WITHOUT_TIMEOUT, typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } } as const

export interface OpenRedis {
  /** Opens a store for one world. */
  readonly storeDisk: (options: StoreDiskOptions) => StoreDisk
  stop(): Promise<void>
}

/** Connects to the Redis named by the environment, or starts one. Call it before virtual time is installed: Redis runs in real time. */
export async function openRedis(): Promise<OpenRedis> {
  const named = redisUrl()
  const server = named === undefined ? await startRedis() : { url: named, stop: async () => {} }
  // The parent ends this process when another one has found a failure.
  process.once('SIGTERM', () => void server.stop().finally(() => process.exit(143)))
  const client = createClient({ url: server.url, RESP: 2, commandOptions: WITHOUT_TIMEOUT })
  const subscriber = client.duplicate()
  await Promise.all([client.connect(), subscriber.connect()])
  const redis: RedisLink = {
    send: (command, answer) =>
      client.sendCommand(
        command.map(part => (typeof part === 'string' ? part : Buffer.from(part))),
        answer === 'bytes' ? BYTE_REPLIES : WITHOUT_TIMEOUT,
      ),
    subscribe: (channel, heard) => subscriber.sSubscribe(channel, heard),
    unsubscribe: channel => subscriber.sUnsubscribe(channel),
  }
  const stop = async () => {
    client.destroy()
    subscriber.destroy()
    await server.stop()
  }
  const replies = new ReplyQueue(redis)
  return { storeDisk: options => redisStoreDisk(options, replies), stop }
}
