import { expect, test } from '@jest/globals'
import BetterSqlite3 from 'better-sqlite3'
import { Database } from './database.js'
import { migrate } from './migrate.js'

test('a store whose log cannot be checkpointed on a full disk says so, and closes', () => {
  const writer = new BetterSqlite3(':memory:')
  migrate(writer, ':memory:')
  const full = Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
  const handle = {
    prepare: (sql: string) => writer.prepare(sql),
    exec: (sql: string) => {
      if (sql.includes('wal_checkpoint')) throw full
      return writer.exec(sql)
    },
    close: () => writer.close(),
    get inTransaction() {
      return writer.inTransaction
    },
  }
  const database = new Database({ writer: handle, reader: handle, scratch: () => handle })
  expect(() => database.close()).toThrow(expect.objectContaining({ code: 'store_unavailable' }))
  expect([database.closed, writer.open]).toEqual([true, false])
})
