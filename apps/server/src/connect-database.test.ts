import { expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { connectDatabase } from './connect-database.js'

test('an address of SQLite opens the file', async () => {
  const db = connectDatabase<object>('sqlite::memory:')
  expect((await sql`SELECT 1 AS one`.execute(db)).rows).toEqual([{ one: 1 }])
  await db.destroy()
})

test('any other address is refused, without the password that it may contain', () => {
  expect(() => connectDatabase('oracle://scott:tiger@host')).toThrow('got another address')
  expect(() => connectDatabase('oracle://scott:tiger@host')).not.toThrow('tiger')
  expect(() => connectDatabase(undefined)).toThrow(
    'DATABASE_URL: expected postgres://…, mysql://… or sqlite:FILE, got nothing.',
  )
})
