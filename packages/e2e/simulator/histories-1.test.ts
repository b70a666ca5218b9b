import { expect, test } from '@jest/globals'
import { runHistories } from './histories.js'

test('every promise is kept in the histories 1 to 300', () => {
  const { code, out } = runHistories(['--first', '1', '--histories', '300'])
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('300 histories') })
}, 600_000)
