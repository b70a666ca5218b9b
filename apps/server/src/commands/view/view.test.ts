import { PassThrough } from 'node:stream'
import { expect, test } from '@jest/globals'
import { formatMembers, formatTable } from './columns.js'
import { bytes, seconds, sparkline } from './format.js'

const pipe = new PassThrough()
const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 12 })

test('columns are as wide as their values, with numbers to the right', () => {
  const rows = [
    { name: 'City', count: 7 },
    { name: 'A longer one', count: 12345 },
  ]
  expect(formatTable(rows, ['name', 'count'], pipe)).toBe(
    'name          count\nCity              7\nA longer one  12345\n',
  )
  expect(formatTable(rows, ['name'], terminal).split('\n').slice(1)).toEqual(['City', 'A longer one', ''])
  expect(formatTable(rows, ['count', 'name'], terminal)).toContain('12345  A lo…')
  expect(formatTable([], ['name' as never], pipe)).toBe('')
})

test('members of one thing are a line each', () => {
  expect(formatMembers({ poll_interval: 3, queue: null })).toBe('poll interval  3\nqueue          \n')
})

test.each([
  [0, '0 bytes'],
  [1023, '1023 bytes'],
  [4096, '4.0 KiB'],
  [150 * 1024 ** 2, '150 MiB'],
  [1.25 * 1024 ** 3, '1.3 GiB'],
])('%d bytes are %s', (count, text) => expect(bytes(count)).toBe(text))

test.each([
  [0.0004, '0.4 ms'],
  [0.0123, '12 ms'],
  [1.54, '1.5 s'],
])('%d seconds are %s', (count, text) => expect(seconds(count)).toBe(text))

test.each([
  [[0, 1, 8, 4], '·▁█▄'],
  [[5, 5], '██'],
  [[0, 0], '··'],
  [[], ''],
  [[1, 1000], '▁█'],
])('%j are the bars %s', (values, bars) => expect(sparkline(values)).toBe(bars))
