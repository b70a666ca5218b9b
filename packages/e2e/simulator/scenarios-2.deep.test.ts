import { expect, test } from '@jest/globals'
import { useHistories } from './run-histories.js'

const runHistories = useHistories()

test.each(['automatic', 'listening', 'passing', 'administration', 'teams'] as const)(
  'every promise is kept in the histories 1 to 40 of the scenario %s',
  about => {
    expect(runHistories({ first: 1, histories: 40, about })).toEqual({ kept: 40, failure: '' })
  },
  600_000,
)
