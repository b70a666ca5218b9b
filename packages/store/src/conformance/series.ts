import { compareIds } from '../history/index.js'
import { type Bucket, SERIES_SECONDS } from '../series.js'
import { HOSTILE } from './hostile.js'
import type { Suite } from './suite.js'

/** The start of a minute by the suite's clock, in Unix seconds. */
const NOW = 1_700_000_000 - (1_700_000_000 % 60)
const ALL = { start: 0, finish: -1 }

const bucket = (time: number, ...values: readonly number[]): Bucket => ({
  time,
  count: values.length,
  sum: values.reduce((sum, value) => sum + value, 0),
  min: Math.min(...values),
  max: Math.max(...values),
})

export function describeSeries(suite: Suite): void {
  suite.describe('series', () => {
    describeAdd(suite)
    describeRanges(suite)
    describeAge(suite)
  })
}

function describeAdd({ fact, expect }: Suite): void {
  fact('join buckets of one key and minute, and keep others apart', async ({ store: { series } }) => {
    await series.add([
      { key: 'a', ...bucket(NOW, 1, 4) },
      { key: 'b', ...bucket(NOW, 2) },
    ])
    await series.add([
      { key: 'a', ...bucket(NOW, 0.5) },
      { key: 'a', ...bucket(NOW + 60, 8) },
      { key: 'a', ...bucket(NOW, 7) },
    ])
    expect(await series.read('a', ALL)).toEqual([bucket(NOW, 1, 4, 0.5, 7), bucket(NOW + 60, 8)])
    expect(await series.read('b', ALL)).toEqual([bucket(NOW, 2)])
    expect(await series.read('c', ALL)).toBe(undefined)
  })

  fact('keep the last level of a minute', async ({ store: { series } }) => {
    for (const [time, value] of [
      [NOW, 3],
      [NOW, 2],
      [NOW + 60, 0],
    ] as const)
      await series.add([{ key: 'users', time, value }])
    expect(await series.read('users', ALL)).toEqual([
      { time: NOW, value: 2 },
      { time: NOW + 60, value: 0 },
    ])
  })

  fact('lose nothing when many add at once', async ({ store: { series } }) => {
    await Promise.all(Array.from({ length: 20 }, () => series.add([{ key: 'a', ...bucket(NOW, 1) }])))
    expect(await series.read('a', ALL)).toEqual([{ time: NOW, count: 20, sum: 20, min: 1, max: 1 }])
  })

  fact('keep hostile keys apart, as plain data, in the order of bytes', async ({ store: { series } }) => {
    expect(await series.keys()).toEqual([])
    await series.add(HOSTILE.map((key, index) => ({ key, ...bucket(NOW, index) })))
    expect(await series.keys()).toEqual([...HOSTILE].sort(compareIds))
    for (const [index, key] of HOSTILE.entries()) expect(await series.read(key, ALL)).toEqual([bucket(NOW, index)])
  })
}

function describeRanges({ fact, expect }: Suite): void {
  fact('are read by index, from either end, in order of time', async ({ store: { series } }) => {
    const minutes = [3, 0, 4, 1, 2]
    await series.add(minutes.map(minute => ({ key: 'a', ...bucket(NOW + minute * 60, minute) })))
    const read = async (start: number, finish: number) =>
      (await series.read('a', { start, finish }))?.map(({ time }) => (time - NOW) / 60)
    expect(await read(0, -1)).toEqual([0, 1, 2, 3, 4])
    expect(await read(1, 3)).toEqual([1, 2, 3])
    expect(await read(-2, -1)).toEqual([3, 4])
    expect(await read(2, 2)).toEqual([2])
    expect(await read(-99, 1)).toEqual([0, 1])
    expect(await read(3, 99)).toEqual([3, 4])
    expect([await read(3, 2), await read(5, 9), await read(0, -6)]).toEqual([[], [], []])
  })
}

function describeAge({ fact, expect }: Suite): void {
  fact('are kept for 31 days', async ({ store: { series }, clock }) => {
    await series.add([
      { key: 'a', ...bucket(NOW, 1) },
      { key: 'b', ...bucket(NOW, 1) },
    ])
    clock.now = (NOW + SERIES_SECONDS) * 1000 - 1
    await series.add([{ key: 'a', ...bucket(NOW + SERIES_SECONDS - 60, 2) }])
    expect((await series.read('a', ALL))?.length).toBe(2)
    expect(await series.keys()).toEqual(['a', 'b'])
    clock.now += 1
    expect(await series.read('a', ALL)).toEqual([bucket(NOW + SERIES_SECONDS - 60, 2)])
    expect([await series.read('b', ALL), await series.keys()]).toEqual([undefined, ['a']])
  })

  fact('take a key up again after all of it was forgotten', async ({ store: { series }, clock }) => {
    await series.add([{ key: 'a', ...bucket(NOW, 1) }])
    clock.now += SERIES_SECONDS * 1000
    for (const value of [1, 2, 3]) await series.add([{ key: 'a', ...bucket(NOW + SERIES_SECONDS, value) }])
    expect(await series.read('a', ALL)).toEqual([bucket(NOW + SERIES_SECONDS, 1, 2, 3)])
  })
}
