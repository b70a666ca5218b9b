import { expect, test } from '@jest/globals'
import { useHistories } from './run-histories.js'

const simulator = useHistories()

// The first histories of each scenario, always the same; `scenarios.deep.test.ts` runs others at each turn.
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
    expect(simulator.run({ first: 1, histories: 2, about })).toEqual({ kept: 2, failure: '' })
  },
  600_000,
)
