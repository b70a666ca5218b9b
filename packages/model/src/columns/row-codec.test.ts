import type { Attributes, AttributeValue } from '@godwit/protocol'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type AttributeType, documentTypes } from '../definition/attribute-types.js'
import { definition } from '../testing/open-device.js'
import { rowCodec } from './row-codec.js'

const names = ['a', 'A', 'b', 'constructor', '__proto__', 'late']
const value = fc.oneof(
  fc.constantFrom<AttributeValue>('', '12', '1.0', 'true', 'a\0b', '\ud800x', 0, 1.5, 2 ** 60, true, false, [null], {
    a: 1,
  }),
  fc.string(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter(one => !Object.is(one, -0)),
)
const attributes: fc.Arbitrary<Attributes> = fc.dictionary(fc.constantFrom(...names), value)
const declared = fc.dictionary(fc.constantFrom(...names), fc.constantFrom<AttributeType>(...documentTypes()))
const entries = (one: Attributes) => Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1))

test('a row returns exactly what was stored, whatever is declared', () => {
  fc.assert(
    fc.property(attributes, declared, fc.constantFrom('bag', 'fixed'), (given, types, storage) => {
      const freezed = storage === 'fixed'
      const codec = rowCodec(definition('M', { storage, freezed, attributes: types }))
      const kept = entries(given).filter(([name]) => !freezed || Object.hasOwn(types, name))
      const row = codec.encode(given)
      expect(row).toHaveLength(codec.columns.length)
      expect(entries(codec.decode(['before', ...row], 1))).toEqual(kept)
    }),
  )
})

test('no two columns of a bag have the same name to SQLite', () => {
  const { columns } = rowCodec(definition('M', { attributes: { name: 'String', Name: 'Integer', 'a\0': 'String' } }))
  expect(columns).toEqual(['"a_name"', '"rest"'])
})
