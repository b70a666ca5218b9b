import { expect, test } from '@jest/globals'
import { runHistories } from './run-histories.js'

test('every promise is kept in the histories 2001 to 2200, which use job queues', () => {
  const { code, out } = runHistories(['--first', '2001', '--histories', '200'])
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('200 histories') })
}, 600_000)
