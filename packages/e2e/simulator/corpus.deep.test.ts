import { expect, test } from '@jest/globals'
import { corpus } from './corpus.js'
import { useHistories } from './run-histories.js'

const simulator = useHistories()

test.each(corpus)(
  'every promise is kept in history $seed, which once failed: $why',
  ({ seed, about, store }) => {
    expect(simulator.run({ first: seed, histories: 1, about, store })).toEqual({ kept: 1, failure: '' })
  },
  600_000,
)
