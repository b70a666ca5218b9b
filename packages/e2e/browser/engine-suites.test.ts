import { expect, test } from '@jest/globals'
import { engineSuites, NODE_SUITES, OPEN_SUITES } from './engine-suites.js'

test('every suite that stays out of the worker of a browser exists, and says why', () => {
  const suites = engineSuites()
  expect(Object.keys({ ...NODE_SUITES, ...OPEN_SUITES }).filter(suite => !suites.includes(suite))).toEqual([])
  expect(Object.values(NODE_SUITES).filter(why => why === '')).toEqual([])
})
