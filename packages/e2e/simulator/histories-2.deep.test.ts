import { expect, test } from '@jest/globals'
import { runHistories } from './run-histories.js'

test('every promise is kept in the histories 501 to 1000', () => {
  const { code, out } = runHistories(['--first', '501', '--histories', '500'])
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('500 histories') })
}, 600_000)
