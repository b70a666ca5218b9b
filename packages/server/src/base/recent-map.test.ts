import { beforeEach, expect, test } from '@jest/globals'
import { RecentMap } from './recent-map.js'

let now = 0
beforeEach(() => {
  now = 1_000_000
})
const make = (capacity = 1000) => new RecentMap<string>({ clock: () => now, idle: 100, capacity })

test('keeps what is looked at, and forgets what is not', () => {
  const map = make()
  map.set('kept', 'a')
  map.set('idle', 'b')
  for (let time = 0; time < 300; time += 50) {
    now += 50
    expect(map.get('kept')).toBe('a')
  }
  expect([map.get('idle'), map.size]).toEqual([undefined, 1])
})

test('forgets nothing before it was idle for the given time', () => {
  const map = make()
  now += 99
  map.set('a', 'a')
  now += 99
  expect(map.get('a')).toBe('a')
})

test('forgets everything that was not read for twice the time', () => {
  const map = make()
  map.set('a', 'a')
  now += 200
  expect([map.get('a'), map.size]).toEqual([undefined, 0])
})

test('stays within its capacity, and keeps what came last', () => {
  const map = make(10)
  for (let at = 0; at < 1000; at++) {
    map.set(`${at}`, 'a')
    expect(map.size).toBeLessThanOrEqual(10)
  }
  expect(map.get('999')).toBe('a')
})

test('forgets under a clock that was set back', () => {
  const map = make()
  map.set('a', 'a')
  for (const time of [500_000, 500_100, 500_200]) {
    now = time
    map.set('b', 'b')
  }
  expect([map.get('a'), map.size]).toEqual([undefined, 1])
})
