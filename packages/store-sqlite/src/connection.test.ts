import { expect, test } from '@jest/globals'
import Database from 'better-sqlite3'
import { SqliteConnection } from './connection.js'
import type { SqliteHandle } from './sqlite-handle.js'

test('a parameter is bound correctly beside question marks in texts and names', () => {
  const connection = new SqliteConnection(new Database(':memory:') as SqliteHandle)
  const sql = `SELECT ? AS "what?", 'it''s ?' AS text, count(*) AS rows FROM (SELECT 1 WHERE ? IS NULL LIMIT ?)`
  expect(connection.statement(sql).get('a', null, 5)).toEqual({ 'what?': 'a', text: "it's ?", rows: 1 })
  expect(connection.statement('SELECT ? AS blob').get(new Uint8Array([1, 2]))).toEqual({ blob: Buffer.from([1, 2]) })
})

test('a statement is prepared once, and not planned again for every value', () => {
  const texts: string[] = []
  const database = new Database(':memory:')
  const handle = { prepare: (sql: string) => texts.push(sql) && database.prepare(sql) } as unknown as SqliteHandle
  const connection = new SqliteConnection(handle)
  for (const value of [1, 2]) connection.statement('SELECT 1 WHERE ? > ? LIMIT ?').all(value, 0, value)
  expect(texts).toEqual(['SELECT 1 WHERE +? > +? LIMIT +?'])
})
