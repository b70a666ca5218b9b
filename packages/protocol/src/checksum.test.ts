import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { Checksum } from './checksum.js'

const rows = fc.uniqueArray(fc.tuple(fc.string({ unit: 'binary' }), fc.nat(Number.MAX_SAFE_INTEGER)), {
  selector: ([id]) => id,
})

const sumOf = (all: readonly (readonly [string, number])[]): string =>
  all.reduce((sum, [id, version]) => sum.add(id, version), new Checksum()).toString()

test('checksums equal the pinned values of the protocol', () => {
  expect(new Checksum().toString()).toBe('0000000000000000')
  expect(sumOf([['a', 1]])).toBe('c1e850547c38c092')
  expect(
    sumOf([
      ['a', 1],
      ['b', 2],
    ]),
  ).toBe('4a7f5ee7b05c2483')
  expect(sumOf([['', 0]])).toBe('ec3317f55314d9a1')
  expect(sumOf([['Ærø 🏝', Number.MAX_SAFE_INTEGER]])).toBe('200e86b1f33f7b29')
})

test('the order of additions does not matter', () => {
  fc.assert(fc.property(rows, all => sumOf(all) === sumOf([...all].reverse())))
})

test('adding and removing an object restores the sum', () => {
  fc.assert(
    fc.property(rows, rows, (kept, gone) => {
      const sum = new Checksum(sumOf(kept))
      for (const [id, version] of gone) sum.add(id, version)
      for (const [id, version] of gone) sum.remove(id, version)
      return sum.toString() === sumOf(kept)
    }),
  )
})

test('a sum continues from its text', () => {
  fc.assert(
    fc.property(rows, rows, (first, second) => {
      const sum = new Checksum(sumOf(first))
      for (const [id, version] of second) sum.add(id, version)
      return sum.toString() === sumOf([...first, ...second])
    }),
  )
})

test('another version, another id and a missing object change the sum', () => {
  const all = Array.from({ length: 100 }, (_, index): [string, number] => [`object ${index}`, index])
  const sums = new Set(all.map((_, index) => sumOf(all.toSpliced(index, 1))))
  for (const [index, [id, version]] of all.entries()) sums.add(sumOf(all.toSpliced(index, 1, [id, version + 1])))
  expect(sums.size).toBe(200)
})
