import { expect, test } from '@jest/globals'
import { chunksByWeight } from './chunks.js'

const ids = (count: number) => Array.from({ length: count }, (_, index) => `id ${index}`)
const sizes = (map: Record<string, unknown>, all: readonly string[], size: number) =>
  [...chunksByWeight(map, all, size)].map(list => list.length)

test('ids are split in order into lists of a bounded size, none of them empty', () => {
  expect(sizes({}, ids(0), 1000)).toEqual([])
  expect(sizes({}, ids(1000), 1000)).toEqual([1000])
  expect(sizes({}, ids(2001), 1000)).toEqual([1000, 1000, 1])
  expect([...chunksByWeight({}, ids(2001), 1000)].flat()).toEqual(ids(2001))
})

test('no list has more than 1 MiB of JSON, except for a single object', () => {
  const note = 'x'.repeat(400_000)
  const map = Object.fromEntries(ids(6).map(id => [id, { note }]))
  expect(sizes(map, ids(6), 1000)).toEqual([2, 2, 2])
  expect(sizes({ ...map, 'id 1': { note: 'x'.repeat(3_000_000) } }, ids(6), 1000)).toEqual([1, 1, 2, 2])
})
