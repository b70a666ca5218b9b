import type { StoreOptions } from '@godwit/store'
import { describeSameAnswers, describeStore } from '@godwit/store/conformance'
import { describe, expect, test } from '@jest/globals'
import { describeOnAnyRedis, describeOnCluster } from './redis.fixture.js'
import { openIn, reference } from './redis-store.fixture.js'

const runner = { describe, test, expect }

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
