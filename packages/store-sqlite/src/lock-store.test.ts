import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { backUpSqliteStore } from './backup/back-up.js'
import { lockSqliteStore } from './lock-store.js'
import { openSqliteStore } from './open-sqlite-store.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'godwit-held-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a store that one server holds is refused to another, and free once it is let go', () => {
  const path = join(folder, 'new', 'store.sqlite')
  const held = lockSqliteStore(path)
  expect(() => lockSqliteStore(path)).toThrow(`Another server has the store ${path} open.`)
  held.close()
  lockSqliteStore(path).close()
  if (process.platform !== 'win32') {
    expect(statSync(`${path}.server`).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'new')).mode & 0o777).toBe(0o700)
  }
})

test('a store that is held can be opened by its server, and backed up', async () => {
  const path = join(folder, 'store.sqlite')
  const held = lockSqliteStore(path)
  const store = await openSqliteStore(path)
  await store.collections.apply({ source: 'City', partition: '*' }, { merge: { a: {} } })
  expect(await backUpSqliteStore(path, join(folder, 'copy.sqlite'))).toMatchObject({ objects: 1 })
  await store.close()
  held.close()
})
