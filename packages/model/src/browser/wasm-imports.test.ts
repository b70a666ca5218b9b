import { afterEach, expect, test } from '@jest/globals'
import type { Driver } from '../platform/driver.js'
import { loadSqliteInNode } from '../testing/load-sqlite-in-node.js'
import { memoryDrive } from './memory-drive.js'
import { memoryFiles } from './memory-files.js'
import { loadSqlite3 } from './sqlite3.js'

const opened: Driver[] = []
afterEach(() => {
  for (const driver of opened.splice(0)) driver.close()
})

async function open(): Promise<(sql: string, ...values: readonly (string | number)[]) => unknown> {
  const driver = memoryDrive(await loadSqliteInNode(), memoryFiles()).open('device.sqlite')
  opened.push(driver)
  return (sql, ...values) => {
    const statement = driver.prepare(sql)
    try {
      return Object.values(statement.get(...values) ?? {})[0]
    } finally {
      statement.free()
    }
  }
}

test('two modules that are loaded at the same moment draw other random numbers', async () => {
  const [one, other] = await Promise.all([open(), open()])
  expect(one('SELECT hex(randomblob(16))')).not.toBe(other('SELECT hex(randomblob(16))'))
})

test('SQLite has the time of the clock and the zone of the platform', async () => {
  const first = await open()
  const before = Date.now()
  const now = Number(first("SELECT (julianday('now') - 2440587.5) * 86400000"))
  expect(now).toBeGreaterThan(before - 2)
  expect(now).toBeLessThan(Date.now() + 2)
  for (const time of ['2026-01-15T12:00:00Z', '2026-07-15T23:30:00Z', '1999-12-31T23:59:59Z']) {
    const date = new Date(time)
    const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString()
    expect(first("SELECT datetime(?, 'unixepoch', 'localtime')", date.getTime() / 1000)).toBe(
      local.slice(0, 19).replace('T', ' '),
    )
  }
})

test('the memory grows with what SQLite holds', async () => {
  const one = await open()
  expect(one('SELECT length(hex(zeroblob(50000000)))')).toBe(100_000_000)
})

test('an address without sqlite3.wasm is named', async () => {
  const fetched = globalThis.fetch
  globalThis.fetch = async () => new Response('no', { status: 404 })
  try {
    await expect(loadSqlite3('https://example.com/sqlite3.wasm')).rejects.toMatchObject({
      code: 'database_failed',
      message: expect.stringContaining('expected sqlite3.wasm at https://example.com/sqlite3.wasm, got the status 404'),
    })
  } finally {
    globalThis.fetch = fetched
  }
})
