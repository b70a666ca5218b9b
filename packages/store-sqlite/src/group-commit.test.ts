import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import BetterSqlite3 from 'better-sqlite3'
import { Database } from './database.js'
import type { SqliteHandle } from './sqlite-handle.js'

const INSERT = 'INSERT INTO note (text) VALUES (?)'
let folder: string
let writer: BetterSqlite3.Database
let reader: BetterSqlite3.Database
let database: Database
/** The error that the writer's COMMIT throws, if any. */
let failure: Error | undefined
/** Milliseconds of the mocked clock, so that a busy machine does not end a group. */
let passed = 0

beforeEach(() => {
  passed = 0
  jest.spyOn(performance, 'now').mockImplementation(() => passed)
  folder = mkdtempSync(join(tmpdir(), 'godwit-group-'))
  writer = new BetterSqlite3(join(folder, 'store.sqlite'))
  writer.exec('PRAGMA journal_mode = WAL; CREATE TABLE note (text TEXT UNIQUE)')
  writer.exec('CREATE TABLE opening (count INTEGER); INSERT INTO opening VALUES (0)')
  reader = new BetterSqlite3(join(folder, 'store.sqlite'), { readonly: true })
  failure = undefined
  database = new Database({ writer: failing(writer), reader, scratch: () => new BetterSqlite3('') })
})
afterEach(() => {
  database.close()
  rmSync(folder, { recursive: true })
  jest.restoreAllMocks()
})

/** A handle whose commits fail while `failure` is set. */
function failing(handle: BetterSqlite3.Database): SqliteHandle {
  const prepare = (sql: string) => {
    const statement = handle.prepare(sql)
    if (sql !== 'COMMIT') return statement
    const run = (): BetterSqlite3.RunResult => {
      if (failure) throw failure
      return statement.run()
    }
    return Object.assign(Object.create(statement), { run })
  }
  return {
    get inTransaction() {
      return handle.inTransaction
    },
    prepare,
    exec: sql => handle.exec(sql),
    close: () => handle.close(),
  }
}

const write = (text: string) => database.write(connection => connection.statement(INSERT).run(text))
const writeEarly = (text: string) => database.writeEarly(connection => connection.statement(INSERT).run(text))
const texts = () =>
  database.readNow(connection => connection.statement<{ text: string }>('SELECT text FROM note').all())
const count = () => texts().length
const diskError = () => Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR' })

describe('writes of one turn', () => {
  test('share one commit', async () => {
    await Promise.all(['a', 'b', 'c'].map(write))
    expect([database.commits, count()]).toEqual([1, 3])
  })

  test('are invisible to a read before their commit', async () => {
    const written = write('a')
    expect(count()).toBe(0)
    await written
    expect(count()).toBe(1)
  })

  test('are visible to a read that needs all reported writes', async () => {
    await writeEarly('a')
    expect(count()).toBe(0)
    expect(await database.readAll(connection => connection.statement('SELECT * FROM note').all().length)).toBe(1)
  })

  test('with early reports share it too', async () => {
    await writeEarly('a')
    await writeEarly('b')
    expect(database.commits).toBe(0)
    await write('c')
    expect([database.commits, count()]).toEqual([1, 3])
  })

  test('are on disk after a flush', async () => {
    await writeEarly('a')
    await database.flush()
    expect(count()).toBe(1)
  })
})

describe('a write that throws', () => {
  test('leaves nothing, alone or in a group', async () => {
    const half = () =>
      database.write(connection => {
        connection.statement(INSERT).run('half')
        throw new RangeError('no')
      })
    await expect(half()).rejects.toThrow(RangeError)
    const [before, failed, after] = await Promise.allSettled([write('a'), half(), write('b')])
    expect([before.status, failed.status, after.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(texts()).toEqual([{ text: 'a' }, { text: 'b' }])
  })

  test('for a reason of SQLite says that the store is unavailable', async () => {
    await write('a')
    await expect(write('a')).rejects.toMatchObject({
      code: 'store_unavailable',
      cause: { code: expect.stringMatching(/^SQLITE_CONSTRAINT/) },
    })
  })
})

describe('a commit that fails', () => {
  test('rejects all waiting writes, and leaves the store usable', async () => {
    failure = diskError()
    const results = await Promise.allSettled([write('a'), write('b')])
    for (const result of results)
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'store_unavailable', retryable: true } })
    failure = undefined
    await write('c')
    expect(texts()).toEqual([{ text: 'c' }])
  })

  test('is reported by the next flush to writes that did not wait', async () => {
    failure = diskError()
    await writeEarly('a')
    await expect(database.flush()).rejects.toMatchObject({ code: 'store_unavailable' })
    await expect(database.flush()).rejects.toMatchObject({ code: 'store_unavailable' })
    failure = undefined
    await write('b')
    await database.flush()
  })
})

test('a group that takes long is committed before the turn ends', async () => {
  const busy = (text: string) =>
    database.writeEarly(connection => {
      passed += 25
      connection.statement(INSERT).run(text)
    })
  const both = [busy('a'), busy('b')]
  expect([database.commits, count()]).toEqual([2, 2])
  await Promise.all(both)
})

test('a write that must be on disk is flushed though it alone takes so long that its group is committed at once', async () => {
  const waits: string[] = []
  const handle = {
    ...failing(writer),
    get inTransaction() {
      return writer.inTransaction
    },
    exec: (sql: string) => {
      waits.push(sql)
      return writer.exec(sql)
    },
  }
  const normal = new Database(
    { writer: handle, reader, scratch: () => new BetterSqlite3('') },
    { durability: 'normal' },
  )
  waits.length = 0
  await normal.writeFlushed(connection => {
    passed += 25
    connection.statement(INSERT).run('a')
  })
  expect(waits).toEqual(['PRAGMA synchronous = FULL', 'PRAGMA synchronous = NORMAL'])
})
