import { expect, test } from '@jest/globals'
import { MAX_COUNTERS, memoryCounters } from './counters.js'

test('the longest unused of many counters are dropped', async () => {
  const counters = memoryCounters(() => 0)
  for (let n = 0; n < MAX_COUNTERS; n++) await counters.add(`${n}`, 1000)
  await counters.add('0', 1000)
  await counters.add('new', 1000)
  const read = await counters.get(['0', '1', '2', 'new'])
  expect(read.map(counter => counter?.count)).toEqual([2, undefined, 1, 1])
})
