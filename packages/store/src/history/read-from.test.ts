import { expect, test } from '@jest/globals'
import { validPosition } from './read-from.js'

const head = { epoch: 'e', version: 5, floor: 2 }
const from = { epoch: 'e', head: 5, mark: 'm', base: 5, start: 0, after: { version: 6, id: '' } }

test('a position is valid while its epoch, head, mark and base are', () => {
  expect(validPosition(from, head, 'm')).toBe(from)
  expect(validPosition(undefined, head, undefined)).toBe(undefined)
  expect(validPosition(from, { ...head, epoch: 'other' }, 'm')).toBe(undefined)
  expect(validPosition(from, head, 'other')).toBe(undefined)
  expect(validPosition({ ...from, base: 1 }, head, 'm')).toBe(undefined)
})

test('a position above the head is void, even if a batch row of the lost versions is still there', () => {
  expect(validPosition({ ...from, head: 6 }, head, 'm')).toBe(undefined)
})

test('an unknown mark is not the mark of a position', () => {
  expect(validPosition(from, head, undefined)).toBe(undefined)
})
