import { expect, test } from '@jest/globals'
import { runHistories } from './run-histories.js'

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
])(
  'every promise is kept in 2 histories of the scenario %s',
  about => {
    const { code, out } = runHistories(['--about', about, '--first', '1', '--histories', '2'])
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('2 histories') })
  },
  600_000,
)
