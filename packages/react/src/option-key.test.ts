import { expect, test } from '@jest/globals'
import { optionKey } from './option-key.js'

test('options of equal value have one key', () => {
  const options = () => ({ limit: 3, conditions: { a: 1, at: { '>': new Date(0) } } })
  expect(optionKey(options())).toBe(optionKey(options()))
})

test.each([
  [{ in: ['a', 'b'] }, { in: ['b', 'a'] }],
  [{ order: { a: 'asc', b: 'asc' } }, { order: { b: 'asc', a: 'asc' } }],
  [{ conditions: { cityId: undefined } }, { conditions: {} }],
  [{ a: 1 }, { a: '1' }],
  [{ a: Number.NaN }, { a: null }],
  [undefined, { limit: 1 }],
  [{ at: new Date(0) }, { at: new Date(1) }],
])('%j and %j have different keys', (one, other) => {
  expect(optionKey(one)).not.toBe(optionKey(other))
})
