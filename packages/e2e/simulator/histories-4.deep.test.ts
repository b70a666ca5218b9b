import { expect, test } from '@jest/globals'
import { useHistories } from './run-histories.js'

const runHistories = useHistories()

test('every promise is kept in the histories 2301 to 2400, which combine rare events', () => {
  expect(runHistories({ first: 2301, histories: 100 })).toEqual({ kept: 100, failure: '' })
}, 600_000)
