import { describeJobs } from '@godwit/store/conformance'
import { describe, expect, test } from '@jest/globals'
import { describeOnAnyRedis } from '../redis.fixture.js'
import { openIn } from './redis-jobs.fixture.js'

describeOnAnyRedis('on one server', redis => {
  describeJobs({ describe, test, expect, open: () => openIn(redis.url), durable: true })
})
