import { expect, test } from '@jest/globals'
import { plainLine } from './plain-line.js'

test('a value stays on its line', () => {
  expect(plainLine('a\u001b[31m\nb')).toBe('a·[31m·b')
  expect([plainLine(null), plainLine(undefined), plainLine({ a: 1 }), plainLine(0)]).toEqual(['', '', '{"a":1}', '0'])
  expect(plainLine(new Date(0))).toBe('1970-01-01T00:00:00.000Z')
})
