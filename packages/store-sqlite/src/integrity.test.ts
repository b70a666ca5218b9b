import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { openSqliteStore } from './open-sqlite-store.js'

const collection = { source: 'City', partition: '*' }
const merge = Object.fromEntries(Array.from({ length: 500 }, (_, id) => [id, { text: 'x'.repeat(300) }]))
let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'godwit-integrity-'))
  path = join(folder, 'store.sqlite')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('an intact store says so, also in its metrics', async () => {
  const store = await openSqliteStore(path)
  await store.collections.apply(collection, { merge })
  expect((await store.measure()).intact).toBe(undefined)
  const look = store.checkIntegrity()
  await store.collections.apply(collection, { merge: { meanwhile: { text: 'written' } } })
  expect(await look).toMatchObject({ intact: true, problems: [] })
  expect((await store.measure()).intact).toBe(true)
  await store.close()
})

test('a store with damaged pages says so', async () => {
  const first = await openSqliteStore(path)
  await first.collections.apply(collection, { merge })
  await first.close()
  const file = openSync(path, 'r+')
  const noise = new Uint8Array(4096).fill(7)
  // Damages later pages: the first ones hold the schema, without which a store does not open.
  const end = statSync(path).size / noise.length
  for (let page = end - 25; page < end - 5; page++) writeSync(file, noise, 0, noise.length, page * noise.length)
  closeSync(file)
  const store = await openSqliteStore(path)
  const found = await store.checkIntegrity()
  expect([found?.intact, (found?.problems.length ?? 0) > 0, (await store.measure()).intact]).toEqual([
    false,
    true,
    false,
  ])
  await store.close()
})

test('a check ends with its store, and a store in memory has none', async () => {
  const store = await openSqliteStore(path)
  const look = store.checkIntegrity()
  await store.close()
  expect(await look).toBe(undefined)
  const inMemory = await openSqliteStore(':memory:')
  expect(await inMemory.checkIntegrity()).toBe(undefined)
  await inMemory.close()
})
