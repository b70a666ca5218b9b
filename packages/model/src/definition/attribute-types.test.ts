import { describe, expect, test } from '@jest/globals'
import { ATTRIBUTE_TYPES, documentTypes } from './attribute-types.js'

const values = [
  '',
  'a',
  '12',
  '1.0',
  'a\0b',
  '\ud800x',
  0,
  1,
  -1,
  1.5,
  2 ** 60,
  true,
  false,
  [],
  {},
  [null],
  { a: { b: 1 } },
]

describe.each(documentTypes())('a column of type %s in an untyped model', name => {
  const { affinity, untypedCell } = ATTRIBUTE_TYPES[name]
  const exact = values.filter(value => untypedCell.isExact(value, untypedCell.encode(value)))

  test.each(values)('returns %j as it was stored, or does not claim to', value => {
    if (exact.includes(value)) expect(untypedCell.decode(untypedCell.encode(value) ?? '')).toEqual(value)
  })
  test.each(values)('stores %j as a number where numbers are declared, else as its text', value => {
    const cell = untypedCell.encode(value)
    expect(typeof cell).toBe(typeof value === 'number' && affinity !== 'TEXT' ? 'number' : 'string')
  })
  test('recognizes exactly the values of its type', () => {
    const kind = name === 'Boolean' ? 'boolean' : affinity === 'TEXT' ? 'string' : 'number'
    expect(exact).toEqual(values.filter(value => typeof value === kind && value !== '\ud800x'))
  })
})
