import { expect, test } from '@jest/globals'
import { useHistories } from './run-histories.js'

const runHistories = useHistories()

test('every promise is kept in the histories 501 to 750', () => {
  expect(runHistories({ first: 501, histories: 250 })).toEqual({ kept: 250, failure: '' })
}, 600_000)
