import type { StoreOptions } from '@godwit/store'
import { describeSameAnswers, describeStore } from '@godwit/store/conformance'
import { describe, expect, test } from '@jest/globals'
import { describeOnAnyRedis } from './redis.fixture.js'
import { openIn, reference } from './redis-store.fixture.js'

const runner = { describe, test, expect }

describeOnAnyRedis('on one server', redis => {
  const open = (options: StoreOptions) => openIn(redis.url, options)
  describeStore({ ...runner, open, durable: true, runs: 5 })
  describeSameAnswers({ ...runner, open, reference, runs: 20 })
})
