import { expect, test } from '@jest/globals'
import { runHistories } from './run-histories.js'

test('every promise is kept in the histories 2001 to 2300, which use job queues', () => {
  const { code, out } = runHistories(['--first', '2001', '--histories', '300'])
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('300 histories') })
}, 600_000)
