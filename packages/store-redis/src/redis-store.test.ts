import { randomBytes } from 'node:crypto'
import { openMemoryStore, type StoreOptions } from '@godwit/store'
import { type Conformance, describeSameAnswers, describeStore } from '@godwit/store/conformance'
import { type RunningCluster, redisIsThere, redisUrl, startRedis, startRedisCluster } from '@godwit/testing'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { connectRedisStore } from './connect-redis-store.js'

const runner = { describe, test, expect }
const reference: Conformance['open'] = options => ({ store: openMemoryStore(options) })

/** A store of its own in a Redis that all tests share: under a prefix of its own, emptied when it is done. */
async function openIn(url: string, options: StoreOptions) {
  const prefix = `test ${randomBytes(6).toString('hex')}:`
  const reopen = () => connectRedisStore(url, { ...options, prefix })
  const discard = async () => {
    const store = await reopen()
    await store.clear()
    await store.close()
  }
  return { store: await reopen(), reopen, discard }
}

describe('on one server', () => {
  const given = redisUrl()
  if (given === undefined && !redisIsThere()) return test.skip('needs a redis-server', () => undefined)
  let redis: { readonly url: string; stop?: () => Promise<void> }
  beforeAll(async () => {
    redis = given === undefined ? await startRedis() : { url: given }
  })
  afterAll(() => redis.stop?.())
  const open = (options: StoreOptions) => openIn(redis.url, options)
  describeStore({ ...runner, open, durable: true, runs: 30 })
  describeSameAnswers({ ...runner, open, reference, runs: 100 })
})

describe('on a Cluster', () => {
  if (!redisIsThere()) return test.skip('needs a redis-server', () => undefined)
  let cluster: RunningCluster
  beforeAll(async () => {
    cluster = await startRedisCluster()
  }, 30_000)
  afterAll(() => cluster.stop())
  const open = (options: StoreOptions) => openIn(cluster.url, options)
  describeStore({ ...runner, open, durable: true, runs: 10 })
  describeSameAnswers({ ...runner, open, reference, runs: 30 })
})
