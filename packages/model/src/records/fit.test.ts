import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { ATTRIBUTE_TYPES } from '../definition/attribute-types.js'
import { definition } from '../testing/open-device.js'
import { fit } from './fit.js'

const numbers = definition('Part', { attributes: { whole: 'Integer', size: 'Float' } })

test.each(['whole', 'size'])('text of digits is a number of %s, or refused if the number has other digits', name => {
  const digits = fc.stringMatching(/^[+-]?[0-9]{1,40}$/)
  const exact = fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }).map(one => String(BigInt(Number(one))))
  fc.assert(
    fc.property(fc.oneof(digits, exact), fc.constantFrom('', ' '), (text, space) => {
      const meant = BigInt(text.replace('+', ''))
      const given = { [name]: `${space}${text}` }
      if (BigInt(Number(text)) === meant) expect(fit(numbers, given)).toEqual({ [name]: Number(text) })
      else expect(() => fit(numbers, given)).toThrow('a number does not hold as many digits; ids are text')
    }),
  )
})

test('a temporary id is never a number', () => {
  const id = '1795324800000123456789012345678'
  for (const name of ['whole', 'size'])
    expect(() => fit(numbers, { [name]: id })).toThrow(expect.objectContaining({ code: 'attribute_invalid' }))
  const { Integer, Float } = ATTRIBUTE_TYPES
  expect([Integer.migrate(id), Float.migrate(id), Float.migrate('12')]).toEqual([id, id, 12])
})

test('the error shows the given value', () => {
  for (const [value, reported] of [
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    ['cheap', '"cheap"'],
  ] as const)
    expect(() => fit(numbers, { size: value })).toThrow(`got ${reported}. Nothing was stored.`)
})

test('text with a fraction or an exponent is rounded as a number is', () => {
  expect(fit(numbers, { size: '0.12345678901234567890' })).toEqual({ size: 0.12345678901234568 })
  expect(fit(numbers, { size: '1e30', whole: '12e2' })).toEqual({ size: 1e30, whole: 1200 })
  expect(() => fit(numbers, { size: '1e400' })).toThrow('type Float, got "1e400"')
})
