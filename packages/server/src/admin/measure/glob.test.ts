import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { matches } from './glob.js'

describe('a pattern of metric names', () => {
  test.each([
    ['*', '', true],
    ['', '', true],
    ['', 'a', false],
    ['source:*:Visit', 'source:query:Visit', true],
    ['source:*:Visit', 'source:query:City', false],
    ['source:*:Visit', 'source::Visit', true],
    ['a*a', 'a', false],
    ['a*b*c', 'a b c', true],
    ['a*b*c', 'a c b c', true],
    ['a*bc*c', 'abc', false],
    ['**', 'a', true],
    ['a.c', 'abc', false],
    ['[ab]?', '[ab]?', true],
  ])('%s against %s: %s', (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected)
  })

  test('means what a regular expression with .* for each star means', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 12 })
    fc.assert(
      fc.property(texts, texts, (pattern, text) => {
        const expression = new RegExp(`^${pattern.split('*').join('.*')}$`)
        expect(matches(pattern, text)).toBe(expression.test(text))
      }),
    )
  })

  test('matches in linear time, however hostile the pattern', () => {
    // A backtracking matcher tries each star at each position, which would take forever here.
    let sought = 0
    const text = Object.assign(new String('a'.repeat(4096)), {
      indexOf(part: string, at: number) {
        sought++
        return String.prototype.indexOf.call(this, part, at)
      },
    }) as unknown as string
    expect(matches(`${'*a'.repeat(127)}*b*`, text)).toBe(false)
    expect(sought).toBe(128)
  })
})
