import { expect, test } from '@jest/globals'
import { runHistories } from './run-histories.js'

test.each(['automatic', 'listening', 'passing', 'administration', 'teams'])(
  'every promise is kept in the histories 1 to 40 of the scenario %s',
  about => {
    const { code, out } = runHistories(['--about', about, '--first', '1', '--histories', '40'])
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('40 histories') })
  },
  600_000,
)
