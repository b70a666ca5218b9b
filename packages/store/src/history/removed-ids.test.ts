import { expect, test } from '@jest/globals'
import { nearlySame, RemovedIds } from './removed-ids.js'

function sketchOf(ids: Iterable<number>): string {
  const removed = new RemovedIds()
  for (const id of ids) removed.add(`id ${id}`)
  return removed.sketch
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)

test.each([1, 10, 1000, 50_000])('%s ids are the same in any order, and a few more or fewer do not matter', count => {
  const all = range(0, count)
  expect(sketchOf(all)).toHaveLength(512)
  expect(sketchOf([...all].reverse())).toBe(sketchOf(all))
  const few = Math.min(10, Math.floor(count / 100))
  expect(nearlySame(sketchOf(all), sketchOf(range(few, count)))).toBe(true)
  expect(nearlySame(sketchOf(all), sketchOf(range(0, count + few)))).toBe(true)
})

test('other ids are not the same, nor a part of them, nor none', () => {
  for (const count of [1, 10, 1000, 50_000]) {
    const sketch = sketchOf(range(0, count))
    for (const other of [range(count, 2 * count), range(0, 3 * count), range(0, Math.floor(count / 2)), []])
      expect(nearlySame(sketch, sketchOf(other))).toBe(false)
  }
})
