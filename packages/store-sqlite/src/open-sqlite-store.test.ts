import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@godwit/testing'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import BetterSqlite3 from 'better-sqlite3'
import { backUpSqliteStore, checkSqliteStore, openSqliteRecords, openSqliteStore } from './index.js'
import { filesOpenToOthers } from './private-files.js'
import { sqliteStore } from './sqlite-store.js'

const collection = { source: 'City', partition: '*' }
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'godwit-open-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const refusal = (message: RegExp) => ({
  code: 'store_unavailable',
  retryable: false,
  message: expect.stringMatching(message),
})

describe('a file', () => {
  test('is made with its folder, in write-ahead mode', async () => {
    const path = join(folder, 'deeper', 'and deeper', 'store.sqlite')
    const store = await openSqliteStore(path)
    await store.collections.open(collection)
    expect(existsSync(`${path}-wal`)).toBe(true)
    await store.close()
  })

  test('leaves one file behind when it is closed', async () => {
    const path = join(folder, 'store.sqlite')
    const store = await openSqliteStore(path)
    await store.collections.apply(collection, { merge: { 1: { name: 'Riga' } } })
    await store.close()
    expect([existsSync(path), existsSync(`${path}-wal`), existsSync(`${path}-shm`)]).toEqual([true, false, false])
  })

  test('that is no database is refused and left alone', async () => {
    const path = join(folder, 'letter.txt')
    const text = 'Dear reader, this is no database. '.repeat(100)
    writeFileSync(path, text)
    await expect(openSqliteStore(path)).rejects.toMatchObject(refusal(/Cannot open .*letter\.txt.*not a database/))
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  test('that was cut off is refused with what to do', async () => {
    const path = join(folder, 'store.sqlite')
    await (await openSqliteStore(path)).close()
    truncateSync(path, statSync(path).size - 4096)
    const refused = /malformed.*Keep the file, and restore a backup/
    await expect(openSqliteStore(path)).rejects.toMatchObject(refusal(refused))
  })

  test('of another program is refused and left alone', async () => {
    const path = join(folder, 'other.sqlite')
    const other = new BetterSqlite3(path)
    other.exec('CREATE TABLE note (text TEXT); PRAGMA user_version = 1')
    other.close()
    const before = readFileSync(path)
    await expect(openSqliteStore(path)).rejects.toMatchObject(refusal(/another program/))
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  test.each([
    ['of a newer version', 'PRAGMA user_version = 99', /newer Godwit.* got schema 99/],
    [
      'of a build with other tables',
      'PRAGMA user_version = 1; DROP TABLE job',
      /expected fingerprint .*Nothing was changed/,
    ],
  ])('%s is refused and left alone', async (_, sql, message) => {
    const path = join(folder, 'store.sqlite')
    await (await openSqliteStore(path)).close()
    const other = new BetterSqlite3(path)
    other.exec(`PRAGMA journal_mode = DELETE; ${sql}`)
    other.close()
    chmodSync(path, 0o644)
    const before = readFileSync(path)
    await expect(openSqliteStore(path)).rejects.toMatchObject(refusal(message))
    expect(() => openSqliteRecords(path)).toThrow(message)
    expect(() => checkSqliteStore(path)).toThrow(message)
    await expect(backUpSqliteStore(path, join(folder, 'backup.sqlite'))).rejects.toMatchObject(refusal(message))
    expect([readFileSync(path).equals(before), readdirSync(folder)]).toEqual([true, ['store.sqlite']])
    expect(statSync(path).mode & 0o777).toBe(process.platform === 'win32' ? 0o666 : 0o644)
  })

  test('where none can be is refused', async () => {
    mkdirSync(join(folder, 'taken'))
    await expect(openSqliteStore(join(folder, 'taken'))).rejects.toMatchObject(refusal(/taken/))
    writeFileSync(join(folder, 'file'), '')
    await expect(openSqliteStore(join(folder, 'file', 'store.sqlite'))).rejects.toMatchObject(refusal(/file/))
  })

  test('that another process holds is refused, and opens once it is free', async () => {
    const path = join(folder, 'store.sqlite')
    await (await openSqliteStore(path)).close()
    const other = new BetterSqlite3(path)
    other.exec('BEGIN IMMEDIATE')
    await expect(openSqliteStore(path)).rejects.toMatchObject({ code: 'store_unavailable' })
    other.close()
    await (await openSqliteStore(path)).close()
  })

  test('without right to write is refused', async () => {
    if (process.getuid?.() === 0) return
    const path = join(folder, 'store.sqlite')
    await (await openSqliteStore(path)).close()
    chmodSync(path, 0o400)
    await expect(openSqliteStore(path)).rejects.toMatchObject({ code: 'store_unavailable' })
  })
})

describe('what was dropped', () => {
  test('is swept from the file, by the next process if needed', async () => {
    const path = join(folder, 'store.sqlite')
    const store = await openSqliteStore(path)
    for (let batch = 0; batch < 3; batch++) {
      const objects = Array.from({ length: 1000 }, (_, index) => [`${batch}-${index}`, { name: 'Riga' }])
      await store.collections.apply(collection, { merge: Object.fromEntries(objects) })
    }
    await store.collections.drop(collection)
    await store.close()
    const next = await openSqliteStore(path)
    const rows = () => new BetterSqlite3(path, { readonly: true }).prepare('SELECT row FROM object').all().length
    await until(() => rows() === 0)
    await next.close()
  })
})

const onUnix = process.platform === 'win32' ? describe.skip : describe

onUnix('files', () => {
  const modes = (path: string) =>
    Object.fromEntries(
      ['', '-wal', '-shm'].flatMap(end => {
        const mode = statSync(path + end, { throwIfNoEntry: false })?.mode
        return mode === undefined ? [] : [[end, (mode & 0o777).toString(8)]]
      }),
    )
  const folderMode = (path: string) => (statSync(path).mode & 0o777).toString(8)

  test('are readable by their owner only, with the folders created for them', async () => {
    const path = join(folder, 'deeper', 'data', 'store.sqlite')
    const store = await openSqliteStore(path)
    await store.collections.open(collection)
    expect([modes(path), folderMode(join(folder, 'deeper')), folderMode(join(folder, 'deeper', 'data'))]).toEqual([
      { '': '600', '-wal': '600', '-shm': '600' },
      '700',
      '700',
    ])
    await store.close()
  })

  test('of an older version become private, and so does a folder that holds nothing else', async () => {
    for (const [name, other, expected] of [
      ['alone', undefined, '700'],
      ['shared', 'letter.txt', '755'],
    ] as const) {
      const path = join(folder, name, 'store.sqlite')
      await (await openSqliteStore(path)).close()
      const left = await openSqliteStore(path)
      await left.collections.open(collection)
      chmodSync(join(folder, name), 0o755)
      for (const end of ['', '-wal', '-shm']) chmodSync(path + end, 0o644)
      if (other) writeFileSync(join(folder, name, other), '')
      expect(filesOpenToOthers(path)).toEqual([path, `${path}-wal`, `${path}-shm`])
      const store = await openSqliteStore(path)
      expect([modes(path), filesOpenToOthers(path)]).toEqual([{ '': '600', '-wal': '600', '-shm': '600' }, []])
      expect(folderMode(join(folder, name))).toBe(expected)
      await store.close()
      await left.close()
    }
  })

  test('of another program keep their mode', async () => {
    const path = join(folder, 'other.sqlite')
    const other = new BetterSqlite3(path)
    other.exec('CREATE TABLE note (text TEXT)')
    other.close()
    chmodSync(path, 0o644)
    await expect(openSqliteStore(path)).rejects.toMatchObject(refusal(/another program/))
    expect(modes(path)).toEqual({ '': '644' })
  })
})

describe('a full store', () => {
  /** Limits a file to its present size, so that a statement that needs another page fails as on a full disk. */
  const limited = (path: string): BetterSqlite3.Database => {
    const handle = new BetterSqlite3(path)
    const pages = handle.pragma('page_count', { simple: true })
    handle.pragma(`max_page_count = ${pages}`)
    return handle
  }
  const large = { merge: { 1: { text: 'x'.repeat(200_000) } } }

  test('rejects its check from a failed write on until a write that needs room succeeds', async () => {
    const path = join(folder, 'store.sqlite')
    await (await openSqliteStore(path)).close()
    const writer = limited(path)
    const store = sqliteStore({ writer, reader: new BetterSqlite3(path), scratch: () => writer })
    await store.collections.apply(collection, { merge: { 0: { text: 'small' } } })
    await store.check()
    await expect(store.collections.apply(collection, large)).rejects.toMatchObject({ code: 'store_unavailable' })
    await store.collections.apply(collection, { merge: { 0: { text: 'still small' } } })
    await expect(store.check()).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(await store.collections.get(collection, ['0'])).toMatchObject({ 0: { text: 'still small' } })
    writer.pragma('max_page_count = 1000000')
    await store.check()
    await store.collections.apply(collection, large)
    await store.close()
  })
})
