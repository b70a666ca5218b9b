import { runInNewContext } from 'node:vm'
import { expect, test } from '@jest/globals'
import { notJson } from './not-json.js'

class Money {
  readonly amount = 3
  toJSON() {
    return '3 €'
  }
}

const circle: { self?: unknown } = {}
circle.self = circle

test.each<[string, unknown]>([
  ['"a" is a Buffer', Buffer.from('photo')],
  ['"a" is a Uint8Array', new Uint8Array(2)],
  ['"a" is a Map', new Map([['b', 1]])],
  ['"a" is a Money', new Money()],
  ['"a".b[1] is a Set', { b: [1, new Set()] }],
  ['"a" is a bigint', 1n],
  ['"a" is a function', () => 1],
  ['"a" is a symbol', Symbol('x')],
  ['"a" is NaN', Number.NaN],
  ['"a"[0] is Infinity', [Number.POSITIVE_INFINITY]],
  ['"a" is an invalid date', new Date('no date')],
  ['"a" is a Promise', Promise.resolve(1)],
])('finds %s, which is not JSON', (expected, a) => {
  expect(notJson({ fine: 'text', a })).toBe(expected)
})

test('a circular value is not JSON', () => {
  expect(notJson({ a: circle })).toMatch(/^"a"(\.self)+\.s… is nested over 100 deep$/)
})

test('JSON may have dates, undefined members, no prototypes and objects of other realms', () => {
  const fine = { b: [1, 'two', true, null, { c: undefined }], __proto__: null }
  expect(notJson({ a: fine, at: new Date(0), none: undefined, other: runInNewContext('({ a: [1, { b: 2 }] })') })).toBe(
    undefined,
  )
})
