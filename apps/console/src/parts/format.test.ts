import { expect, test } from '@jest/globals'
import { ago, bytes, interval, number, seconds, span } from './format.js'

test('sizes, durations and distances are shown in their largest unit', () => {
  expect([bytes(0), bytes(1023), bytes(1536), bytes(250 * 1024 ** 3)]).toEqual(['0 B', '1023 B', '1.5 KiB', '250 GiB'])
  expect([seconds(0), seconds(0.00042), seconds(0.0042), seconds(0.42), seconds(4.2), seconds(600)]).toEqual([
    '–',
    '420 µs',
    '4.2 ms',
    '420 ms',
    '4.2 s',
    '10 minutes',
  ])
  expect([span(1), span(3600), span(200_000), number(1_000_000)]).toEqual(['1 second', '1 hour', '2 days', '1,000,000'])
  expect([interval(-1), interval(0), interval(300)]).toEqual(['on request', 'on every pull', 'every 5 minutes'])
})

test('a time is shown relative to now', () => {
  const now = Date.parse('2026-03-01T12:00:00Z')
  const told = (time: string) => ago(time, now)
  expect(told('2026-03-01T11:59:58Z')).toBe('now')
  expect(told('2026-03-01T11:58:00Z')).toBe('2 minutes ago')
  expect(told('2026-03-01T13:00:00Z')).toBe('in 1 hour')
})
