import { describe, expect, test } from '@jest/globals'
import { ATTRIBUTE_TYPES } from '../definition/definition.js'
import { decodeCell, encodeCell } from './cell.js'

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
  test.each(values)('gives back %j as it came', value => {
    expect(decodeCell(encodeCell(value, type), type)).toEqual(value)
  })
  test('keeps absence', () => {
    expect(encodeCell(null, type)).toBeNull()
    expect(decodeCell(encodeCell(undefined, type), type)).toBeUndefined()
  })
})
