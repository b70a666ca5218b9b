import { MAX_ID_BYTES } from '@godwit/protocol'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { compareIds, storedId } from './object-id.js'

const anyText = fc.string({ unit: 'binary', maxLength: 20 })
const bytes = (text: string) => Buffer.from(text, 'utf8')

test('ids are in the order of their UTF-8 bytes', () => {
  const pair = fc.tuple(anyText, anyText, anyText).map(([start, one, other]) => [start + one, start + other] as const)
  fc.assert(
    fc.property(pair, ([one, other]) => {
      expect(Math.sign(compareIds(one, other))).toBe(Buffer.compare(bytes(one), bytes(other)))
    }),
    { examples: [[['\uffff', '😀']], [['\ue000', '\u{10000}']], [['a', 'a']], [['', 'a']]] },
  )
})

test('an id is compared by its UTF-8 bytes, and has 1 to 1,024 of them', () => {
  const anyUnits = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 4 })
  fc.assert(
    fc.property(anyUnits, fc.integer({ min: 1, max: 700 }), (units, times) => {
      const text = String.fromCharCode(...units).repeat(times)
      const length = Buffer.byteLength(text)
      const isTaken = length >= 1 && length <= MAX_ID_BYTES
      const stored = () => storedId(text)
      if (isTaken) expect(bytes(stored())).toEqual(bytes(text))
      else expect(stored).toThrow('bytes of UTF-8')
    }),
  )
})
