import { createHash } from 'node:crypto'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { Sha256 } from './sha256.js'

const expected = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

test('computes the standard digest at every length around a block', () => {
  for (let length = 0; length <= 200; length++) {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 7) % 256)
    const hash = new Sha256()
    hash.update(bytes)
    expect(hash.digest()).toBe(expected(bytes))
  }
})

test('the chunks in which bytes arrive make no difference', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 10 }), parts => {
      const hash = new Sha256()
      for (const part of parts) hash.update(part)
      expect(hash.digest()).toBe(expected(Buffer.concat(parts)))
    }),
  )
})
