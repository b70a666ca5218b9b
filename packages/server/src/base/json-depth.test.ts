import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { isDeeper } from './json-depth.js'

const nested = (depth: number): string => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`

test('the depth of a text is that of its nested lists and objects', () => {
  expect([isDeeper(nested(10), 10), isDeeper(nested(12), 10)]).toEqual([false, true])
  expect(isDeeper(`[${Array(20).fill('[]')}]`, 2)).toBe(false)
  expect(isDeeper('['.repeat(30), 10)).toBe(true)
})

test('brackets within strings do not count, however they are escaped', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0
  const string = fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', ']', '}', 'a') })
  const { value } = fc.letrec(tie => ({
    value: fc.oneof(
      string,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(string, tie('value'), { maxKeys: 3 }),
    ),
  }))
  fc.assert(
    fc.property(value, fc.integer({ min: 0, max: 6 }), (given, most) => {
      expect(isDeeper(`${JSON.stringify(given)}${' '.repeat(12)}`, most)).toBe(depthOf(given) > most)
    }),
  )
})
