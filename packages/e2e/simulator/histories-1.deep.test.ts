import { verifies } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { useHistories } from './run-histories.js'

const runHistories = useHistories()

test('every promise is kept in the histories 1 to 250', () => {
  verifies('behaviour.push.epoch-recovers', 'behaviour.push.others-not-blocked', 'behaviour.push.normalised')

  expect(runHistories({ first: 1, histories: 250 })).toEqual({ kept: 250, failure: '' })
}, 600_000)
