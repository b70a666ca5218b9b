import { expect, test } from '@jest/globals'
import { type Measured, whatGrew } from './what-grew.js'

const MB = 1e6
const DEVICES = 100
const flat = (middle: number, end = middle) => ({ middle, end })
const table = { table: 'mutation', rows: 5000, most: 5000, bytes: 4 * MB }

/** A run in which nothing grows, with the given number of actions of each device. */
const steady = (actionsOfEach: number): Measured => ({
  actions: actionsOfEach * DEVICES,
  resident: flat(300 * MB),
  live: flat(30 * MB),
  handles: flat(100),
  storeSize: flat(60 * MB),
  tables: [table],
})

test('a run in which nothing grows passes', () => {
  expect(whatGrew(steady(150), DEVICES)).toEqual([])
})

test.each([
  ['the store', { storeSize: flat(98 * MB, 197 * MB) }],
  ['live', { live: flat(30 * MB, 50 * MB) }],
  ['handles', { handles: flat(100, 300) }],
  ['resident', { resident: flat(300 * MB, 500 * MB) }],
])('growth of %s is told', (name, grown) => {
  expect(whatGrew({ ...steady(150), ...grown }, DEVICES)).toEqual([expect.stringContaining(`${name} grew from`)])
})

test('the store of a run that is too short to be flat may grow', () => {
  expect(whatGrew({ ...steady(10), storeSize: flat(30 * MB, 60 * MB) }, DEVICES)).toEqual([])
})

test('one row more than the devices account for is told, however short the run', () => {
  const tables = [{ ...table, rows: 5001 }]
  expect(whatGrew({ ...steady(1), tables }, DEVICES)).toEqual(['mutation has 5001 rows, expected at most 5000'])
})

test('a table without an owner is told as soon as it has a row', () => {
  const tables = [{ table: 'unknown', rows: 1, most: 0, bytes: 4096 }]
  expect(whatGrew({ ...steady(1), tables }, DEVICES)).toHaveLength(1)
})

test('pages that are kept for rows that went are told', () => {
  const tables = [{ ...table, rows: 100 }]
  expect(whatGrew({ ...steady(1), tables }, DEVICES)).toEqual(['mutation has 4000000 bytes for 100 rows'])
})
