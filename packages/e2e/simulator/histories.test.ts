import { expect, test } from '@jest/globals'
import { useHistories } from './run-histories.js'

const runHistories = useHistories()

// The first history of each kind; `histories-*.deep.test.ts` run all of them.
test.each([
  { first: 1, histories: 30, kind: 'of every kind' },
  { first: 2001, histories: 15, kind: 'that are worked through queues' },
  { first: 2301, histories: 15, kind: 'whose plans let meet what hardly ever does' },
])(
  'every promise is kept in $histories histories $kind',
  ({ first, histories }) => {
    expect(runHistories({ first, histories })).toEqual({ kept: histories, failure: '' })
  },
  600_000,
)
