import { describe, expect, test } from '@jest/globals'
import { ATTRIBUTE_TYPES } from '../definition/definition.js'
import { affinityOf, decodeCell, encodeCell, isExact } from './cell.js'

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

describe.each(ATTRIBUTE_TYPES)('a column of type %s', type => {
  test.each(values)('returns %j as it was stored, or does not claim to', value => {
    if (isExact(value, type)) expect(decodeCell(encodeCell(value, type) ?? '', type)).toEqual(value)
  })
  test.each(values)('stores %j as a number where numbers are declared, else as its text', value => {
    const cell = encodeCell(value, type)
    expect(typeof cell).toBe(typeof value === 'number' && affinityOf(type) !== 'TEXT' ? 'number' : 'string')
  })
  test('recognizes exactly the values of its type', () => {
    const kind = type === 'Boolean' ? 'boolean' : affinityOf(type) === 'TEXT' ? 'string' : 'number'
    expect(values.filter(value => isExact(value, type))).toEqual(
      values.filter(value => typeof value === kind && value !== '\ud800x'),
    )
  })
})
