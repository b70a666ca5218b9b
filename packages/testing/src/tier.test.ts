import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { partOf } from './tier.js'

test('as many consecutive turns as there are parts run each item once', () => {
  fc.assert(
    fc.property(fc.nat(40), fc.integer({ min: 1, max: 5 }), fc.nat(10_000), (items, parts, first) => {
      const all = Array.from({ length: items }, (_, at) => at)
      const turns = Array.from({ length: parts }, (_, at) => partOf(all, parts, { tier: 'deep', turn: first + at }))
      expect(turns.flat().toSorted((a, b) => a - b)).toEqual(all)
    }),
  )
})

test('at night every item runs', () => {
  expect(partOf([1, 2, 3], 3, { tier: 'night', turn: 7 })).toEqual([1, 2, 3])
})
