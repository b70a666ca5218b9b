import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import BetterSqlite3 from 'better-sqlite3'
import { backUpSqliteStore, checkSqliteStore, openSqliteStore, restoreSqliteStore } from '../index.js'

const NOTES = { source: 'Note', partition: '*' }
const unavailable = (words: string) => ({ code: 'store_unavailable', message: expect.stringContaining(words) })

let folder: string
let file: string
let backup: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'godwit-backup-'))
  file = join(folder, 'store.sqlite')
  backup = join(folder, 'backup.sqlite')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Opens a store with this number of notes, and leaves it open. */
async function storeOf(count: number) {
  const store = await openSqliteStore(file)
  const text = 'x'.repeat(2_000)
  for (let from = 0; from < count; from += 1_000) {
    const ids = Array.from({ length: Math.min(1_000, count - from) }, (_, i) => `${from + i}`)
    await store.collections.apply(NOTES, { merge: Object.fromEntries(ids.map(id => [id, { text }])) })
  }
  return store
}

const countIn = async (path: string): Promise<number | undefined> => {
  const store = await openSqliteStore(path)
  const count = (await store.collections.head(NOTES))?.count
  await store.close()
  return count
}

/** Names of files in the folder, except the store's. */
const others = () => readdirSync(folder).filter(name => !name.startsWith('store.sqlite'))

describe('a backup', () => {
  test('is made beside an open store, and reports its contents', async () => {
    const store = await storeOf(3)
    const held = await backUpSqliteStore(file, backup)
    expect(held).toMatchObject({ path: backup, schema: expect.any(Number), collections: 1, objects: 3, users: 0 })
    expect(held.bytes).toBe(statSync(backup).size)
    await store.close()
    expect(others()).toEqual(['backup.sqlite'])
    expect(statSync(backup).mode & 0o077).toBe(0)
    expect(await countIn(backup)).toBe(3)
  })

  test('is a consistent snapshot during concurrent writes', async () => {
    const store = await storeOf(9_000)
    let steps = 0
    const onProgress = () => {
      steps++
      void store.collections.apply(NOTES, { merge: { [`late ${steps}`]: {}, 1: { text: `changed ${steps}` } } })
    }
    const { objects } = await backUpSqliteStore(file, backup, { onProgress })
    await store.close()
    expect(steps).toBeGreaterThan(1)
    expect(objects).toBe(9_000)
    expect(await countIn(file)).toBe(9_000 + steps)
  })

  test('that is stopped leaves nothing', async () => {
    const store = await storeOf(9_000)
    const stop = new AbortController()
    const reason = new Error('enough')
    const stopped = backUpSqliteStore(file, backup, { onProgress: () => stop.abort(reason), signal: stop.signal })
    await expect(stopped).rejects.toBe(reason)
    await store.close()
    expect(others()).toEqual([])
  })

  test('replaces no file, unless told to', async () => {
    const store = await storeOf(1)
    writeFileSync(backup, 'mine')
    await expect(backUpSqliteStore(file, backup)).rejects.toMatchObject(unavailable('There is a file'))
    expect(readFileSync(backup, 'utf8')).toBe('mine')
    expect(await backUpSqliteStore(file, backup, { overwrite: true })).toMatchObject({ objects: 1 })
    await expect(backUpSqliteStore(file, file, { overwrite: true })).rejects.toMatchObject(unavailable('another file'))
    await store.close()
  })

  test('never replaces the store, under any name', async () => {
    const store = await storeOf(1)
    symlinkSync(folder, join(folder, 'linked'))
    linkSync(file, join(folder, 'other'))
    for (const name of [
      'linked/store.sqlite',
      'linked/store.sqlite-wal',
      'other',
      `../${basename(folder)}/store.sqlite`,
    ])
      await expect(backUpSqliteStore(file, `${folder}/${name}`, { overwrite: true })).rejects.toMatchObject(
        unavailable('another file'),
      )
    await expect(restoreSqliteStore(join(folder, 'linked', 'store.sqlite'), file)).rejects.toMatchObject(
      unavailable('got the store itself'),
    )
    await store.close()
    expect(await countIn(file)).toBe(1)
  })

  test.each([
    ['a folder', 'there', (path: string) => mkdirSync(path), 'is a folder'],
    ['a link', 'there', (path: string) => symlinkSync('elsewhere', path), 'is a link'],
    ['a name in no folder', 'no/there', () => {}, 'ENOENT'],
    ['a name in a file', 'store.sqlite/there', () => {}, 'ENOTDIR'],
  ])('never replaces %s, even when told to', async (_, name, make, words) => {
    const store = await storeOf(1)
    const place = join(folder, name)
    make(place)
    const before = others()
    await expect(backUpSqliteStore(file, place, { overwrite: true })).rejects.toMatchObject(unavailable(words))
    await store.close()
    expect(others()).toEqual(before)
  })

  test('needs a name', async () => {
    await expect(backUpSqliteStore(file, '')).rejects.toMatchObject(unavailable('got an empty one'))
  })

  test.each([
    ['no file', () => {}, 'There is no file'],
    ['no database', () => writeFileSync(file, 'x'.repeat(5000)), 'no SQLite database'],
    [
      'a database of another program',
      () => new BetterSqlite3(file).exec('CREATE TABLE t (x)').close(),
      'another program',
    ],
    ['an empty file', () => writeFileSync(file, ''), 'no store was ever made'],
  ])('of %s is refused, and leaves nothing', async (_, make, words) => {
    make()
    await expect(backUpSqliteStore(file, backup)).rejects.toMatchObject(unavailable(words))
    expect(others()).toEqual([])
  })

  test('of a damaged store is refused', async () => {
    await (await storeOf(2_000)).close()
    const bytes = readFileSync(file)
    bytes.fill(0x5a, bytes.length / 2, bytes.length / 2 + 9_000)
    writeFileSync(file, bytes)
    await expect(backUpSqliteStore(file, backup)).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(() => checkSqliteStore(file)).toThrow(/damaged|malformed/)
    expect(others()).toEqual([])
  })
})

test('the size of a store includes its write-ahead log', async () => {
  const store = await storeOf(500)
  const { bytes } = checkSqliteStore(file)
  expect(bytes).toBe((await store.measure()).bytes)
  await store.close()
  expect(statSync(file).size).toBe(bytes)
})

describe('a restore', () => {
  const backedUp = async (): Promise<void> => {
    const store = await storeOf(2)
    await backUpSqliteStore(file, backup)
    await store.collections.apply(NOTES, { merge: { late: {} } })
    await store.close()
  }

  test('replaces the store by the backup, in new epochs, and keeps the former file', async () => {
    await backedUp()
    const before = await openSqliteStore(backup)
    const epoch = (await before.collections.head(NOTES))?.epoch
    await before.close()
    const { former, objects } = await restoreSqliteStore(backup, file, { clock: () => 0 })
    expect([former, objects]).toEqual([`${file}.before-restore-19700101T000000000Z`, 2])
    expect([await countIn(file), await countIn(former as string)]).toEqual([2, 3])
    const store = await openSqliteStore(file)
    const head = await store.collections.head(NOTES)
    await store.close()
    expect(head).toMatchObject({ version: 1, count: 2, epoch: expect.any(String) })
    expect(head?.epoch).not.toBe(epoch)
  })

  test('is complete before it replaces the store, and records the end of the former audit', async () => {
    await backedUp()
    const present = await openSqliteStore(file)
    await present.audit.append([{ number: 1, text: 'after the backup', hash: 'abc' }])
    await present.close()
    const fail = restoreSqliteStore(backup, file, { complete: () => Promise.reject(new Error('not today')) })
    await expect(fail).rejects.toThrow('not today')
    expect([await countIn(file), others()]).toEqual([3, ['backup.sqlite']])

    const told: unknown[] = []
    await restoreSqliteStore(backup, file, {
      complete: async ({ audit }, former) => {
        told.push(former)
        await audit.append([{ number: 1, text: 'restored', hash: 'def' }])
      },
    })
    expect(told).toEqual([{ audit: { number: 1, hash: 'abc' } }])
    const restored = await openSqliteStore(file)
    expect(await restored.audit.list({ limit: 9 })).toEqual([{ number: 1, text: 'restored', hash: 'def' }])
    await restored.close()
  })

  test('that is stopped before the replacement changes nothing', async () => {
    await backedUp()
    const stop = new AbortController()
    const reason = new Error('enough')
    const complete = async () => void setImmediate(() => stop.abort(reason))
    await expect(restoreSqliteStore(backup, file, { complete, signal: stop.signal })).rejects.toBe(reason)
    expect([await countIn(file), others()]).toEqual([3, ['backup.sqlite']])
  })

  test('is refused while the store is open anywhere, and changes nothing', async () => {
    await backedUp()
    const store = await openSqliteStore(file)
    await expect(restoreSqliteStore(backup, file)).rejects.toMatchObject(unavailable('is in use. Stop the server'))
    await store.collections.apply(NOTES, { merge: { later: {} } })
    await store.close()
    expect(await countIn(file)).toBe(4)
    expect(others()).toEqual(['backup.sqlite'])
  })

  test('creates a missing store, without a leftover log', async () => {
    await backedUp()
    const store = await openSqliteStore(file)
    await store.collections.apply(NOTES, { merge: { logged: {} } })
    copyFileSync(`${file}-wal`, join(folder, 'log'))
    await store.close()
    rmSync(file)
    copyFileSync(join(folder, 'log'), `${file}-wal`)
    expect(await restoreSqliteStore(backup, file)).not.toHaveProperty('former')
    expect(await countIn(file)).toBe(2)
    expect(await restoreSqliteStore(backup, join(folder, 'new', 'store.sqlite'))).toMatchObject({ objects: 2 })
  })

  test('replaces a damaged store', async () => {
    await backedUp()
    writeFileSync(file, 'x'.repeat(5000))
    const { former } = await restoreSqliteStore(backup, file)
    expect(readFileSync(former as string, 'utf8')).toMatch(/^x+$/)
    expect(await countIn(file)).toBe(2)
  })

  test('never replaces a database of another program', async () => {
    await backedUp()
    rmSync(file)
    new BetterSqlite3(file).exec('CREATE TABLE t (x)').close()
    await expect(restoreSqliteStore(backup, file)).rejects.toMatchObject(unavailable('another program'))
    expect(existsSync(file)).toBe(true)
  })

  test.each([
    ['that is not there', () => rmSync(backup), 'There is no file'],
    ['that is no database', () => writeFileSync(backup, 'x'.repeat(5000)), 'no SQLite database'],
    ['of a newer Godwit', () => void new BetterSqlite3(backup).pragma('user_version = 999'), 'newer Godwit'],
    ['that is cut off', () => writeFileSync(backup, readFileSync(backup).subarray(0, 30_000)), backupName()],
  ])('of a file %s is refused, and changes nothing', async (_, spoil, words) => {
    await backedUp()
    spoil()
    await expect(restoreSqliteStore(backup, file)).rejects.toMatchObject(unavailable(words))
    expect(await countIn(file)).toBe(3)
    expect(others().filter(name => !name.startsWith('backup.sqlite'))).toEqual([])
  })
})

function backupName(): string {
  return 'backup.sqlite'
}
