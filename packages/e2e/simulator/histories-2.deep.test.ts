import { expect, test } from '@jest/globals'
import { useHistories } from './run-histories.js'

const runHistories = useHistories()

test('every promise is kept in the histories 251 to 500', () => {
  expect(runHistories({ first: 251, histories: 250 })).toEqual({ kept: 250, failure: '' })
}, 600_000)
