import { randomBytes } from 'node:crypto'
import { openMemoryStore, type StoreOptions } from '@godwit/store'
import { type Conformance, describeSameAnswers, describeStore } from '@godwit/store/conformance'
import { describe, expect, test } from '@jest/globals'
import { connectRedisStore } from './connect-redis-store.js'
import { describeOnAnyRedis, describeOnCluster } from './redis.fixture.js'

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

describeOnAnyRedis('on one server', redis => {
  const open = (options: StoreOptions) => openIn(redis.url, options)
  describeStore({ ...runner, open, durable: true, runs: 30 })
  describeSameAnswers({ ...runner, open, reference, runs: 100 })
})

describeOnCluster('on a Cluster', cluster => {
  const open = (options: StoreOptions) => openIn(cluster.url, options)
  describeStore({ ...runner, open, durable: true, runs: 10 })
  describeSameAnswers({ ...runner, open, reference, runs: 30 })
})
