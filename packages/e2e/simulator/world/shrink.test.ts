import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { shrink } from './shrink.js'

test('keeps the steps that the failure needs, and no others', async () => {
  const numbers = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 1 })
  await fc.assert(
    fc.asyncProperty(numbers, fc.integer({ min: 1, max: 3 }), async (items, count) => {
      const needed = items.slice(0, count)
      const shortest = await shrink(items, async some => needed.every(item => some.includes(item)))
      expect(shortest).toEqual(needed)
    }),
  )
})
