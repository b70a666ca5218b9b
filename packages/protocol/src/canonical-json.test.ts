import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { canonicalJson } from './canonical-json.js'
import type { JsonValue } from './object-map.js'

/** The same value with its members the other way round. */
const reversed = (value: JsonValue): JsonValue => {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(reversed)
  const members = Object.entries(value).map(([name, member]) => [name, reversed(member)] as const)
  return Object.fromEntries(members.reverse())
}

test('sorts members at every depth and keeps the order of lists', () => {
  const value = JSON.parse('{ "b": [2, 1], "a": { "__proto__": null, "\\u20ac": "x", "A": 1e3 }, "": -0 }') as JsonValue
  expect(canonicalJson(value)).toBe('{"":0,"a":{"A":1000,"__proto__":null,"€":"x"},"b":[2,1]}')
})

test('gives equal values equal texts, and parses to the value again', () => {
  fc.assert(
    fc.property(fc.jsonValue(), given => {
      const value = JSON.parse(JSON.stringify(given)) as JsonValue
      expect(canonicalJson(reversed(value))).toBe(canonicalJson(value))
      expect(JSON.parse(canonicalJson(value))).toEqual(value)
    }),
  )
})
