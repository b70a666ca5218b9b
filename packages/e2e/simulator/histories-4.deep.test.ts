import { expect, test } from '@jest/globals'
import { runHistories } from './run-histories.js'

test('every promise is kept in the histories 751 to 1000', () => {
  const { code, out } = runHistories(['--first', '751', '--histories', '250'])
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('250 histories') })
}, 600_000)
