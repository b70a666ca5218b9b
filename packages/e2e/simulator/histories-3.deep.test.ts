import { expect, test } from '@jest/globals'
import { useHistories } from './run-histories.js'

const runHistories = useHistories()

test('every promise is kept in the histories 2001 to 2200, which use job queues', () => {
  expect(runHistories({ first: 2001, histories: 200 })).toEqual({ kept: 200, failure: '' })
}, 600_000)
