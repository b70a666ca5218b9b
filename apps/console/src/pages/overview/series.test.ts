import { expect, test } from '@jest/globals'
import { seriesOf } from './series.js'

const bucket = (time: number, count: number) => ({ time, count, sum: 0, min: 0, max: 0 })

test('minutes are shown as requests per second, and empty ones as zero', () => {
  const given = { pulls: [bucket(600, 120), bucket(720, 60)], pushes: [] }
  const { times, pulls, pushes } = seriesOf(given, { minutes: 3, now: 730, points: 100 })
  expect(times).toEqual([540, 600, 660, 720])
  expect(pulls).toEqual([0, 2, 0, 1])
  expect(pushes).toEqual([0, 0, 0, 0])
})

test('many minutes are aggregated into few points', () => {
  const { times, pulls } = seriesOf(
    { pulls: [bucket(0, 60), bucket(60, 60)], pushes: [] },
    { minutes: 10, now: 600, points: 5 },
  )
  expect(times.length).toBe(6)
  expect(pulls[0]).toBe(1)
})
