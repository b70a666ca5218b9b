import { expect, test } from '@jest/globals'
import { missesOf } from './misses.js'
import type { Phase } from './phase.js'

const phase = (name: string, hinted: number, p99: number, failed: readonly string[] = []): Phase => ({
  name,
  seconds: 1,
  pulls: hinted,
  hinted,
  polled: 0,
  streamRequests: 0,
  queries: 0,
  cpu: 1,
  failures: {},
  others: { pulls: 1, pushes: 1, failed, p50: 1, p99, most: p99 },
})

test('a slow answer, a failed request and a pull of what a device has are misses, with or without a limit', () => {
  const phases = [
    phase('a restart', 0, 1000),
    phase('a crash', 1, 1001),
    phase('a shared change', 10, 1, ['refused']),
    phase('a restart with a change', 11, 1),
    phase('ten shared changes a second', 1000, 1),
  ]
  const pulls = [
    'a crash: expected at most 0 pulls after events, got 1',
    'a shared change: a request of others failed: refused',
    'a restart with a change: expected at most 10 pulls after events, got 11',
  ]
  expect(missesOf({ phases }, { streams: 10, longest: undefined })).toEqual(pulls)
  const slow = 'a crash: expected a p99 of others of at most 1000 ms, got 1001'
  expect(missesOf({ phases }, { streams: 10, longest: 1000 })).toEqual(pulls.toSpliced(1, 0, slow))
})
