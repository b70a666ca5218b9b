import {
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@godwit/testing'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import BetterSqlite3 from 'better-sqlite3'
import { openSqliteStore, type SqliteStore } from './index.js'

const NOTES = { source: 'Note', partition: '*' }
const merge = Object.fromEntries(Array.from({ length: 1000 }, (_, id) => [`${id}`, { text: 'x'.repeat(3000) }]))

const damaged = (sign: RegExp) => ({
  code: 'store_unavailable',
  retryable: false,
  message: expect.stringMatching(new RegExp(`damaged: ${sign.source}.*restore a backup`)),
})

let folder: string
let path: string
let store: SqliteStore
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'godwit-sound-'))
  path = join(folder, 'store.sqlite')
  const first = await openSqliteStore(path)
  await first.collections.apply(NOTES, { merge })
  await first.close()
  store = await openSqliteStore(path)
  await store.check()
})
afterEach(async () => {
  await store.close().catch(() => undefined)
  rmSync(folder, { recursive: true })
})

/** Overwrites everything but the first pages, which hold the schema. */
function spoil(): void {
  const from = 64 * 4096
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(statSync(path).size - from, 7), 0, undefined, from)
  closeSync(file)
}

async function tryTo(work: () => unknown): Promise<boolean> {
  try {
    await work()
    return true
  } catch {
    return false
  }
}

describe('the check of a store', () => {
  test('rejects from the moment on at which its file was cut', async () => {
    truncateSync(path, Math.floor(statSync(path).size / 2))
    for (let times = 0; times < 3; times++) await expect(store.check()).rejects.toMatchObject(damaged(/it was cut/))
    await until(async () => (await store.measure()).intact === false)
    await expect(store.check()).rejects.toMatchObject(damaged(/./))
  })

  test('rejects from the moment on at which a read meets damage', async () => {
    spoil()
    await expect(store.collections.list(NOTES, { limit: 1000 })).rejects.toMatchObject({ code: 'store_unavailable' })
    for (let times = 0; times < 3; times++) await expect(store.check()).rejects.toMatchObject(damaged(/./))
    await until(async () => (await store.measure()).intact === false)
    await expect(store.check()).rejects.toMatchObject(damaged(/./))
  })

  test('rejects once an integrity check found damage', async () => {
    spoil()
    await store.check()
    expect(await store.checkIntegrity()).toMatchObject({ intact: false })
    await expect(store.check()).rejects.toMatchObject(damaged(/./))
  })

  test('rejects while its file is gone or another one is in its place', async () => {
    const moved = join(folder, 'moved.sqlite')
    renameSync(path, moved)
    await expect(store.check()).rejects.toMatchObject(damaged(/it is gone/))
    copyFileSync(moved, path)
    await expect(store.check()).rejects.toMatchObject(damaged(/another file/))
    renameSync(moved, path)
    await store.check()
  })

  test('accepts a file that VACUUM made shorter', async () => {
    await store.collections.drop(NOTES)
    const other = new BetterSqlite3(path, { timeout: 0 })
    const countRows = other.prepare('SELECT count(*) FROM object').pluck()
    await until(() => countRows.get() === 0)
    const before = statSync(path).size
    // The store may be writing: it commits in its next turn.
    await until(() => tryTo(() => other.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')))
    other.close()
    expect(statSync(path).size).toBeLessThan(before)
    await until(() => tryTo(() => store.check()))
  })
})
