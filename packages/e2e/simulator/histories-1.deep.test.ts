import { verifies } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { runHistories } from './run-histories.js'

test('every promise is kept in the histories 1 to 250', () => {
  verifies('behaviour.push.epoch-recovers', 'behaviour.push.others-not-blocked', 'behaviour.push.normalised')

  const { code, out } = runHistories(['--first', '1', '--histories', '250'])
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('250 histories') })
}, 600_000)
