import { expect, test } from '@jest/globals'
import { runHistories } from './run-histories.js'

test('every promise is kept in the histories 1001 to 1500', () => {
  const { code, out } = runHistories(['--first', '1001', '--histories', '500'])
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('500 histories') })
}, 600_000)
