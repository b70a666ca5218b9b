import { expect, test } from '@jest/globals'
import { quantile } from './quantile.js'

test('a quantile lies between the bounds of its bucket', () => {
  expect(quantile([10, 0, 0], [1, 2], 0.5)).toBe(0.5)
  expect(quantile([50, 49, 1], [1, 2], 0.5)).toBe(1)
  expect(quantile([50, 49, 1], [1, 2], 0.99)).toBe(2)
  expect(quantile([0, 0, 4], [1, 2], 0.5)).toBe(2)
  expect(quantile([0, 0, 0], [1, 2], 0.99)).toBe(0)
})
