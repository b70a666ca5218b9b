import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import BetterSqlite3 from 'better-sqlite3'
import { Database } from './database.js'
import type { SqliteHandle } from './sqlite-handle.js'

let folder: string
let database: Database
/** Statements without results that the connections ran. */
let ran: string[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'godwit-turn-'))
  const path = join(folder, 'store.sqlite')
  const writer = new BetterSqlite3(path)
  writer.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; CREATE TABLE note (text TEXT UNIQUE)')
  writer.exec('CREATE TABLE opening (count INTEGER); INSERT INTO opening VALUES (0)')
  const reader = listening('reader', new BetterSqlite3(path, { readonly: true }))
  database = new Database({ writer: listening('writer', writer), reader, scratch: () => new BetterSqlite3('') })
  ran = []
})
afterEach(() => {
  database.close()
  rmSync(folder, { recursive: true })
})

function listening(name: string, handle: BetterSqlite3.Database): SqliteHandle {
  return {
    get inTransaction() {
      return handle.inTransaction
    },
    prepare(sql) {
      const statement = handle.prepare(sql)
      return {
        run(...values) {
          ran.push(`${name}: ${sql}`)
          return statement.run(...values)
        },
        get: (...values) => statement.get(...values),
        all: (...values) => statement.all(...values),
        iterate: (...values) => statement.iterate(...values),
      }
    },
    exec: sql => handle.exec(sql),
    close: () => handle.close(),
  }
}

const write = (text: string) =>
  database.write(connection => connection.statement('INSERT INTO note (text) VALUES (?)').run(text))
const count = () => database.readNow(connection => connection.statement('SELECT * FROM note').all().length)
const turn = () => new Promise(resolve => setImmediate(resolve))

test('reads of one turn share a snapshot, which ends with the turn', async () => {
  for (let read = 0; read < 3; read++) await database.read(connection => connection.statement('SELECT 1').get())
  expect(ran).toEqual(['writer: BEGIN'])
  await turn()
  expect(ran).toEqual(['writer: BEGIN', 'writer: ROLLBACK'])
  count()
  await turn()
  expect(ran).toEqual(['writer: BEGIN', 'writer: ROLLBACK', 'writer: BEGIN', 'writer: ROLLBACK'])
})

test('a read sees what was committed before it in the same turn, and nothing that is not committed yet', async () => {
  const written = write('one')
  expect(count()).toBe(0)
  await written
  expect(count()).toBe(1)
})

test('the connection that has written is read, and the other one while a write is not committed', async () => {
  count()
  const written = write('one')
  count()
  await written
  count()
  const insert = 'writer: INSERT INTO note (text) VALUES (+?)'
  const [first, second, third] = [
    ['writer: BEGIN', 'writer: ROLLBACK'],
    ['writer: BEGIN IMMEDIATE', insert, 'reader: BEGIN', 'reader: ROLLBACK', 'writer: COMMIT'],
    ['writer: BEGIN'],
  ]
  expect(ran).toEqual([...first, ...second, ...third])
})

test('a read that fails ends the snapshot, and the next one begins another', () => {
  count()
  const fail = (): never => {
    throw new Error('no')
  }
  expect(() => database.readNow(fail)).toThrow('no')
  expect(count()).toBe(0)
  expect(ran).toEqual(['writer: BEGIN', 'writer: ROLLBACK', 'writer: BEGIN'])
})
