import { webcrypto } from 'node:crypto'
import { expect, test } from '@jest/globals'
import { idMaker, keyMaker } from './new-id.js'

const random = (bytes: Uint8Array<ArrayBuffer>): void => void webcrypto.getRandomValues(bytes)

test.each([
  ['ids', idMaker, /^\d{31}$/],
  ['keys', keyMaker, /^[\da-f]{32}$/],
] as const)('%s ascend with time, and are unique', (_, maker, form) => {
  let now = Date.UTC(2026, 0, 1)
  const make = maker(random, () => now)
  const made = Array.from({ length: 2000 }, () => {
    now += 1
    return make()
  })
  expect(made.every(one => form.test(one))).toBe(true)
  expect(made.toSorted()).toEqual(made)
  const atOnce = Array.from({ length: 2000 }, make)
  expect(new Set(atOnce).size).toBe(2000)
})
