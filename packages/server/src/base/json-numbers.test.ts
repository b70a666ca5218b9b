import { expect, jest, test } from '@jest/globals'
import fc from 'fast-check'
import { hasOverflow } from './json-numbers.js'

const beyond = ['1e400', '-1E+400', '1.5e0309', '2e308', '0.001e312', `${'9'.repeat(309)}`, `${'9'.repeat(250)}.5e60`]
const within = ['1e308', '-1.7976931348623157e+308', '1e-400', '0e999', '0.0e400', '9007199254740993', '9'.repeat(308)]

test.each(beyond)('%s is beyond a double, at any position', number => {
  for (const text of [number, ` ${number}`, `[1,${number}]`, `{"a":{"b":[\n${number}]}}`])
    expect([text, hasOverflow(text)]).toEqual([text, true])
})

test.each(within)('%s is not beyond a double, and neither is a number in a string', number => {
  expect(hasOverflow(`{"a":[${number}, ${number}]}`)).toBe(false)
  expect(hasOverflow(JSON.stringify({ a: '1e400', b: ', 1e400', [beyond.join()]: beyond }))).toBe(false)
})

test('a number is beyond a double where it would be parsed as infinite', () => {
  const digits = fc.oneof(
    fc.stringMatching(/^(?:0|[1-9]\d{0,8})$/),
    fc.integer({ min: 190, max: 330 }).map(length => '7'.repeat(length)),
  )
  const fraction = fc.constantFrom('', '.0', '.25', `.${'0'.repeat(200)}1`)
  const exponent = fc.oneof(
    fc.constant(''),
    fc.tuple(fc.constantFrom('e', 'E', 'e+', 'e-', 'e00'), fc.nat(700)).map(parts => parts.join('')),
  )
  fc.assert(
    fc.property(fc.constantFrom('', '-'), digits, fraction, exponent, (...parts) => {
      const number = parts.join('')
      expect(hasOverflow(`{"a":${number}}`)).toBe(!Number.isFinite(Number(number)))
    }),
  )
})

test('numbers are found without parsing the text, in linear time', () => {
  const parse = jest.spyOn(JSON, 'parse')
  // Each of these takes long in a parser that scans twice or restarts at every digit.
  const texts = [
    `[1e400,${'1,'.repeat(500_000)}1]`,
    `["1e400 ${'\\"'.repeat(400_000)}",1e100]`,
    `[${'1'.repeat(1_000_000)}]`,
    `[${'1e100,'.repeat(170_000)}1]`,
    `{"a":${'-'.repeat(1_000_000)}`,
  ]
  expect(texts.map(hasOverflow)).toEqual([true, false, true, false, false])
  expect(parse).not.toHaveBeenCalled()
  parse.mockRestore()
})
