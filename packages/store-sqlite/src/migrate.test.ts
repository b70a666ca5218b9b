import { afterEach, beforeEach, expect, test } from '@jest/globals'
import BetterSqlite3 from 'better-sqlite3'
import { migrate, userVersion } from './migrate.js'

let file: BetterSqlite3.Database
beforeEach(() => {
  file = new BetterSqlite3(':memory:')
})
afterEach(() => void file.close())

test('a file is migrated to the present schema once', () => {
  migrate(file, 'store.sqlite')
  const version = userVersion(file)
  expect(version).toBeGreaterThan(0)
  migrate(file, 'store.sqlite')
  expect(userVersion(file)).toBe(version)
})

test('a file that a newer version came to first keeps its schema', () => {
  migrate(file, 'store.sqlite')
  file.exec('PRAGMA user_version = 99')
  expect(() => migrate(file, 'store.sqlite')).toThrow('store.sqlite was written by a newer Godwit: it has schema 99')
  expect([userVersion(file), file.inTransaction]).toEqual([99, false])
})
