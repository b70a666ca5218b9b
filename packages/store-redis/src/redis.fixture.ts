import {
  askRedis,
  type RunningRedis,
  redisIsThere,
  redisUrl,
  startRedis,
  startRedisCluster,
  until,
} from '@godwit/testing'
import { afterAll, afterEach, beforeAll, describe, test } from '@jest/globals'
import { readAddress } from './address.js'
import { connect } from './connect/connect.js'
import type { RedisHandle } from './redis-handle.js'

/** A Redis server shared by all tests of a `describe`. */
export interface SharedRedis {
  readonly url: string
  readonly handle: RedisHandle
}

/** A `describe` that is skipped without a Redis server; its tests start what they need. */
export function describeWithRedis(name: string, tests: () => void): void {
  if (redisIsThere()) describe(name, tests)
  else test.skip(`${name}: needs a redis-server`, () => undefined)
}

/** A `describe` with a separate Redis process. */
export const describeOnRedis = (name: string, tests: (redis: SharedRedis) => void): void =>
  describeWithRedis(name, () => tests(shared(startRedis)))

/** A `describe` with the Redis server that the environment names, which others may share, or else a new one. */
export function describeOnAnyRedis(name: string, tests: (redis: SharedRedis) => void): void {
  const url = redisUrl()
  if (url === undefined) describeOnRedis(name, tests)
  else describe(name, () => tests(shared(async () => ({ url, stop: async () => undefined }))))
}

export const describeOnCluster = (name: string, tests: (cluster: SharedRedis) => void): void =>
  describeWithRedis(name, () => tests(shared(startRedisCluster)))

function shared(start: () => Promise<{ readonly url: string; stop(): Promise<void> }>): SharedRedis {
  let running: Awaited<ReturnType<typeof start>>
  let handle: RedisHandle
  beforeAll(async () => {
    running = await start()
    handle = await connect(readAddress(running.url))
  })
  afterAll(async () => {
    await handle.close()
    await running.stop()
  })
  return {
    get url() {
      return running.url
    },
    get handle() {
      return handle
    },
  }
}

type Stoppable = { stop(): Promise<unknown> } | { close(): Promise<unknown> }

/** Stops and closes what a test started after the test, in reverse order and regardless of its result. */
export function keeper(): <One extends Stoppable>(one: One) => One {
  const all: Stoppable[] = []
  afterEach(async () => {
    for (const one of all.splice(0).reverse()) await ('stop' in one ? one.stop() : one.close().catch(() => undefined))
  })
  return one => {
    all.push(one)
    return one
  }
}

/** A primary and a connected replica. */
export async function startReplicated(kept: ReturnType<typeof keeper>) {
  const primary = kept(await startRedis())
  const replica = kept(await startRedis({ replicaof: `127.0.0.1 ${primary.port}` }))
  await until(async () => (await askRedis(primary, 'INFO replication')).includes('state=online'))
  return { primary, replica }
}

/** Suspends a process: its connections stay open, and it does not respond until it resumes. */
export const pause = ({ pid }: RunningRedis): boolean => process.kill(pid, 'SIGSTOP')
export const resume = ({ pid }: RunningRedis): boolean => process.kill(pid, 'SIGCONT')
