import { randomBytes } from 'node:crypto'
import { redisStore } from '@godwit/store-redis'
import type { StoreDisk, StoreDiskOptions } from '../store-disk.js'
import type { ReplyQueue } from './reply-queue.js'

type DumpedKey = readonly [key: string, content: Uint8Array, expires: string]

/** Number of keys that Redis scans in one step. */
const SCAN_COUNT = '1000'

/** A key prefix unique to this process, since others may use the same Redis. */
const PROCESS_PREFIX = randomBytes(6).toString('hex')
let worlds = 0

/** Returns storage in a real Redis, with a separate key prefix for each world. */
export function redisStoreDisk({ scheduler, ...options }: StoreDiskOptions, replies: ReplyQueue): StoreDisk {
  const prefix = `world ${PROCESS_PREFIX}-${++worlds}:`
  let server = { isDead: false }
  scheduler.away = () => replies.rest
  replies.recordActivity = () => scheduler.recordActivity()
  const keys = () => allKeys(replies, prefix)
  const empty = async (): Promise<void> => {
    const gone = await keys()
    if (gone.length > 0) await replies.ask(['UNLINK', ...gone])
  }
  return {
    open() {
      server = { isDead: false }
      return redisStore(replies.handle(server), { ...options, prefix, replicas: 0 })
    },
    crash() {
      server.isDead = true
    },
    async backUp() {
      const kept = await Promise.all((await keys()).map(key => copyOf(replies, key)))
      return async () => {
        await empty()
        for (const [key, content, expires] of kept) await replies.ask(['RESTORE', key, expires, content])
      }
    },
    renews: false,
    close() {
      server.isDead = true
      void replies.hush(prefix)
      void empty()
    },
  }
}

async function copyOf(replies: ReplyQueue, key: string): Promise<DumpedKey> {
  const [content, left] = await Promise.all([replies.askForBytes(['DUMP', key]), replies.ask(['PTTL', key])])
  return [key, content, `${Math.max(0, Number(left))}`]
}

async function allKeys(replies: ReplyQueue, prefix: string): Promise<readonly string[]> {
  const found = new Set<string>()
  for (let cursor = '0'; ; ) {
    const [next, keys] = (await replies.ask(['SCAN', cursor, 'MATCH', `${prefix}*`, 'COUNT', SCAN_COUNT])) as [
      string,
      string[],
    ]
    for (const key of keys) found.add(key)
    if (next === '0') return [...found].sort()
    cursor = next
  }
}
