import { expect, test } from '@jest/globals'
import { useHistories } from './run-histories.js'

const runHistories = useHistories()

test.each(['blobs', 'bulk', 'searches', 'operations', 'quotas'] as const)(
  'every promise is kept in the histories 1 to 25 of the scenario %s',
  about => {
    expect(runHistories({ first: 1, histories: 25, about })).toEqual({ kept: 25, failure: '' })
  },
  600_000,
)
