import { expect, test } from '@jest/globals'
import { useHistories } from './run-histories.js'

const runHistories = useHistories()

// The first history of each scenario; `scenarios-*.deep.test.ts` run all of them.
test.each([
  'blobs',
  'bulk',
  'automatic',
  'listening',
  'passing',
  'searches',
  'administration',
  'operations',
  'quotas',
  'teams',
] as const)(
  'every promise is kept in 2 histories of the scenario %s',
  about => {
    expect(runHistories({ first: 1, histories: 2, about })).toEqual({ kept: 2, failure: '' })
  },
  600_000,
)
