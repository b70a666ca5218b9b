import { describeJobs } from '@godwit/store/conformance'
import { describe, expect, test } from '@jest/globals'
import { describeOnCluster } from '../redis.fixture.js'
import { openIn } from './redis-jobs.fixture.js'

describeOnCluster('on a Cluster', cluster => {
  describeJobs({ describe, test, expect, open: () => openIn(cluster.url), durable: true })
})
