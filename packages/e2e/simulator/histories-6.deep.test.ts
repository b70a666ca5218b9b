import { expect, test } from '@jest/globals'
import { runHistories } from './run-histories.js'

test('every promise is kept in the histories 2301 to 2400, which combine rare events', () => {
  const { code, out } = runHistories(['--first', '2301', '--histories', '100'])
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('100 histories') })
}, 600_000)
