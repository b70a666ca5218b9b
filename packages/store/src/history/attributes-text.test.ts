import type { Attributes } from '@godwit/protocol'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { attributesText, parseAttributes, sameText, sameValue } from './attributes-text.js'

const anyAttributes = fc.dictionary(fc.string(), fc.jsonValue()).map(value => value as Attributes)

const shuffled = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(shuffled)
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, shuffled(member)]),
  )
}

test('attributes are parsed from their text, without null values', () => {
  fc.assert(
    fc.property(anyAttributes, attributes => {
      const present = Object.entries(attributes).filter(([, value]) => value !== null)
      const parsed = Object.entries(parseAttributes(attributesText(attributes)))
      expect(JSON.stringify(parsed)).toBe(JSON.stringify(present))
    }),
  )
})

test('text in another order is equal, at any depth', () => {
  fc.assert(
    fc.property(anyAttributes, attributes => {
      expect(sameText(attributesText(attributes), attributesText(shuffled(attributes) as Attributes))).toBe(true)
    }),
  )
})

test('values are equal exactly when their JSON is, except for null and undefined', () => {
  const few = fc.constantFrom<unknown>(
    undefined,
    null,
    0,
    '0',
    '',
    false,
    [],
    {},
    [0],
    { a: 0 },
    { b: 0 },
    { a: null },
    [null],
    [[]],
  )
  const text = (value: unknown) => JSON.stringify(value ?? null)
  fc.assert(
    fc.property(few, few, (left, right) => {
      expect(sameValue(left, right)).toBe(text(left) === text(right))
    }),
    { numRuns: 500 },
  )
})

test('a value that is not JSON is refused with its fault', () => {
  const attributes = { x: 1n } as unknown as Attributes
  expect(() => attributesText(attributes)).toThrow(expect.objectContaining({ code: 'body_invalid' }))
})
