import { openMemoryStore } from '@godwit/store'
import { expect, test } from '@jest/globals'
import { versionTime } from './version-time.js'

const collection = { source: 'City', partition: '*' }
const NOON = Date.parse('2026-03-01T12:00:00Z')

test.each([0, 999, 61_000, 3_600_000, 40 * 86_400_000])(
  'the time of a version is found, and is the same %i ms later',
  async later => {
    let now = NOON
    const { collections } = openMemoryStore({ clock: () => now })
    await collections.open(collection)
    now += 5000
    await collections.apply(collection, { merge: { a: { x: 1 } } })
    now += later
    await collections.apply(collection, { merge: { a: { x: 2 } } })
    for (const later of [0, 1, 700, 59_999])
      expect(await versionTime(collections, collection, { version: 1, now: now + later })).toBe(NOON + 5000)
  },
)

test('the time of a version that was written under a clock that was ahead is found', async () => {
  let now = NOON + 3_600_000
  const { collections } = openMemoryStore({ clock: () => now })
  await collections.open(collection)
  await collections.apply(collection, { merge: { a: { x: 1 } } })
  now = NOON
  expect(await versionTime(collections, collection, { version: 1, now })).toBe(NOON + 3_600_000)
  expect(await versionTime(collections, collection, { version: 2, now })).toBeUndefined()
})

test('a version below the floor has no time', async () => {
  const now = NOON
  const { collections } = openMemoryStore({ clock: () => now })
  for (const x of [1, 2, 3]) await collections.apply(collection, { merge: { a: { x } } })
  await collections.compact(collection, { below: 3, limit: 10 })
  expect(await versionTime(collections, collection, { version: 2, now })).toBeUndefined()
})
