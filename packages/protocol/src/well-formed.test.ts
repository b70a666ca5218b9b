import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { isWellFormed, isWellFormedJson } from './well-formed.js'

test.each(['a\ud800', '\udc00', { '\ud800': 1 }, { a: { b: ['x', { 'y\udfff': null }] } }, [[['\udbff']]]])(
  'half a surrogate pair is found: %j',
  value => {
    expect([isWellFormed(value), isWellFormedJson(JSON.stringify(value), value)]).toEqual([false, false])
  },
)

test.each(['', '\u{1f600}', { '\u{1f600}': ['é', 1, null, true] }, '\\ud800 as six characters', undefined])(
  'well-formed text is not: %j',
  value => {
    expect([isWellFormed(value), isWellFormedJson(JSON.stringify(value) ?? '', value)]).toEqual([true, true])
  },
)

test('parsed text is checked as a value is', () => {
  const text = fc.string({ unit: fc.constantFrom('\ud83d', '\ude00', '\\', 'u', 'd', '8', 'é') })
  fc.assert(
    fc.property(fc.object({ key: text, values: [text, fc.integer()] }), value => {
      expect(isWellFormedJson(JSON.stringify(value), value)).toBe(isWellFormed(value))
      expect(isWellFormed(value)).toBe(JSON.stringify(value).search(/(^|[^\\])(\\\\)*\\ud[89a-f]/) < 0)
    }),
  )
})

test('a circular value is not followed for ever', () => {
  const circle: { self?: object } = {}
  circle.self = circle
  expect(isWellFormed(circle)).toBe(true)
})
