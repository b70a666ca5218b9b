import { afterEach, beforeEach, expect, test } from '@jest/globals'
import BetterSqlite3 from 'better-sqlite3'
import { assertOurs, migrate, userVersion } from './migrate.js'
import { fingerprintOf } from './schema/fingerprint.js'

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

/** Files that say of themselves what is not true, or what this version does not know. */
const UNKNOWN: readonly (readonly [name: string, sql: string, message: RegExp])[] = [
  ['of a newer version', 'PRAGMA user_version = 99', /newer Godwit.*: expected schema \d+ or older, got schema 99/],
  [
    'of a build with fewer tables',
    'PRAGMA user_version = 1; DROP TABLE job',
    /: expected fingerprint \w{16} of schema 1, got \w{16}\. Open it with the build that wrote it/,
  ],
  ['with the number of another schema', 'PRAGMA user_version = 2', /: expected fingerprint \w{16} of schema 2, got/],
  ['with tables and without a number', 'PRAGMA user_version = 0', /expected fingerprint none of schema 0, got \w{16}/],
  ['without a table', 'DROP TABLE audit', /or its tables were altered/],
  ['without an index', 'DROP INDEX object_by_version', /or its tables were altered/],
  ['without a trigger', 'DROP TRIGGER audit_is_not_changed', /or its tables were altered/],
  ['with another column', 'ALTER TABLE job ADD COLUMN x', /or its tables were altered/],
]

test.each(UNKNOWN)('a file %s is refused and left as it is', (_, sql, message) => {
  migrate(file, 'store.sqlite')
  file.exec(sql)
  const before = file.serialize()
  for (const look of [assertOurs, migrate]) expect(() => look(file, 'store.sqlite')).toThrow(message)
  expect([file.inTransaction, file.serialize().equals(before)]).toEqual([false, true])
})

test('an empty file with a number is refused', () => {
  file.exec('PRAGMA user_version = 3')
  expect(() => migrate(file, 'store.sqlite')).toThrow('another program')
  file.exec(`PRAGMA application_id = ${0x47647774}`)
  expect(() => migrate(file, 'store.sqlite')).toThrow(/of schema 3, got none/)
})

test('statistics of SQLite, comments and white space do not make another schema', () => {
  migrate(file, 'store.sqlite')
  file.exec('ANALYZE')
  migrate(file, 'store.sqlite')
  const written = new BetterSqlite3(':memory:')
  const sparse = new BetterSqlite3(':memory:')
  written.exec("CREATE TABLE t ( -- why\n  a TEXT DEFAULT ' -- ( ',\n\n  b -- how\n)")
  sparse.exec("CREATE TABLE t (a TEXT DEFAULT ' -- ( ', b)")
  expect(fingerprintOf(written)).toBe(fingerprintOf(sparse))
  sparse.exec("DROP TABLE t; CREATE TABLE t (a TEXT DEFAULT ' -- (', b)")
  expect(fingerprintOf(written)).not.toBe(fingerprintOf(sparse))
})
