import { expect, test } from '@jest/globals'
import { fuzz } from './fuzz.js'
import { STORES } from './world.js'

test.each(STORES)(
  '2,000 random requests are answered as the document says, and the store holds, over %s',
  async store => {
    const { faults, logged, statuses, succeeded } = await fuzz({ seed: 20_260_101, requests: 2000, store })
    expect(faults).toEqual([])
    expect(logged).toEqual([])
    // It reaches what it should: most operations, and every kind of answer.
    expect(succeeded.size).toBeGreaterThan(40)
    expect(Object.keys(statuses)).toEqual(
      expect.arrayContaining(['200', '400', '401', '403', '404', '409', '415', '422']),
    )
  },
  300_000,
)
