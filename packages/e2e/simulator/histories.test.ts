import { expect, test } from '@jest/globals'
import { useHistories } from './run-histories.js'

const simulator = useHistories()

// The first histories of each kind, always the same; `histories.deep.test.ts` runs others at each turn.
test.each([
  { first: 1, histories: 30, kind: 'of every kind' },
  { first: 2001, histories: 15, kind: 'that are worked through queues' },
  { first: 2301, histories: 15, kind: 'whose plans let meet what hardly ever does' },
])(
  'every promise is kept in $histories histories $kind',
  ({ first, histories }) => {
    expect(simulator.run({ first, histories })).toEqual({ kept: histories, failure: '' })
  },
  600_000,
)

test('every fault happened in these histories, and every comparison was made', () => {
  expect(simulator.missing()).toEqual([])
})
