import { compareIds } from '@godwit/store/history'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { Keys } from './keys.js'
import { pairOf, pairRange, pairText } from './names.js'

const texts = fc.string({ unit: fc.constantFrom('\0', '\x01', 'a', 'b', '\uffff', '😀'), maxLength: 4 })
const pairs = fc.tuple(texts, texts)

describe('two names as one text', () => {
  test('are read back', () => {
    fc.assert(fc.property(pairs, ([first, second]) => expect(pairOf(pairText(first, second))).toEqual([first, second])))
  })

  test('sort in the order of the pairs', () => {
    const compare = ([a, b]: readonly string[], [c, d]: readonly string[]) =>
      compareIds(a ?? '', c ?? '') || compareIds(b ?? '', d ?? '')
    const sign = (left: [string, string], right: [string, string]) =>
      Math.sign(compareIds(pairText(...left), pairText(...right)))
    fc.assert(
      fc.property(pairs, pairs, (left, right) => expect(sign(left, right)).toBe(Math.sign(compare(left, right)))),
    )
  })

  test('are within the range of their first, and of no other', () => {
    const isIn = (text: string, first: string) => {
      const { min, max } = pairRange(first)
      return compareIds(text, min.slice(1)) >= 0 && compareIds(text, max.slice(1)) < 0
    }
    fc.assert(fc.property(pairs, texts, ([a, b], first) => expect(isIn(pairText(a, b), first)).toBe(a === first)))
  })
})

describe('keys', () => {
  const keys = new Keys('shop:')

  test('of a collection share a hash tag, which no name can leave', () => {
    const of = keys.of({ source: 'a}:b{', partition: 'user:*' })
    expect(of('head')).toBe('shop:{collection:a%7D%3Ab%7B:user%3A*}:head')
    expect(of('leases')).toBe(keys.leases({ kind: 'query', collection: { source: 'a}:b{', partition: 'user:*' } }))
  })

  test('are matched by a pattern in which the prefix is plain text', () => {
    expect(new Keys('a*[b]?\\').pattern).toBe('a\\*\\[b\\]\\?\\\\{*')
  })

  test('need a prefix without braces', () => {
    expect(() => new Keys('{a}')).toThrow('expected a key prefix without')
  })
})
