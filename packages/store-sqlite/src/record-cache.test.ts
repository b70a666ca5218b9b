import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '@godwit/store'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { openSqliteStore } from './open-sqlite-store.js'

const SESSION = { id: 's', value: { role: 'device' }, owner: 'ada' }
let folder: string
let store: Store

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'godwit-records-'))
  store = await openSqliteStore(join(folder, 'store.sqlite'))
  await store.registry.create('credential', SESSION)
  await store.registry.get('credential', 's')
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const session = () => store.registry.get('credential', 's')

test.each([
  ['changed', () => store.registry.merge('credential', 's', { role: null }), { ...SESSION, value: {} }],
  ['deleted', () => store.registry.delete('credential', 's'), undefined],
  ['deleted with all of its owner', () => store.registry.deleteOwned('credential', 'ada'), undefined],
  ['cleared', () => store.clear(), undefined],
])('a cached record is not returned after it is %s', async (_, write, after) => {
  const written = write()
  expect(await session()).toEqual(SESSION)
  await written
  expect(await session()).toEqual(after)
})

test('a record that another process deletes is gone in the next turn', async () => {
  const other = await openSqliteStore(join(folder, 'store.sqlite'))
  await other.registry.delete('credential', 's')
  await new Promise(resolve => setImmediate(resolve))
  expect(await session()).toBe(undefined)
  await other.close()
})

test('a cached record is shared and frozen', async () => {
  const record = (await session()) as unknown as { owner: string; value: { role: string } }
  expect(() => {
    record.owner = 'grace'
  }).toThrow(TypeError)
  expect(() => {
    record.value.role = 'admin'
  }).toThrow(TypeError)
})
