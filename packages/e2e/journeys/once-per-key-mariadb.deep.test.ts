import { oncePerKey } from '@godwit/server'
import { mariaDbIsThere, type RunningMariaDb, startMariaDb } from '@godwit/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import mysql from 'mysql2/promise'

const whenThere = mariaDbIsThere() ? describe : describe.skip

whenThere('a key in MariaDB', () => {
  let mariaDb: RunningMariaDb
  let pool: mysql.Pool
  beforeAll(async () => {
    mariaDb = await startMariaDb()
  }, 60_000)
  beforeEach(async () => {
    pool = mysql.createPool({ uri: mariaDb.url, connectionLimit: 10 })
    await pool.query('DROP TABLE IF EXISTS godwit_keys, orders')
    await pool.query('CREATE TABLE orders (id INT AUTO_INCREMENT PRIMARY KEY, product LONGTEXT NOT NULL)')
  })
  afterEach(() => pool.end())
  afterAll(() => mariaDb?.stop())

  const order = (key: string, product: string) =>
    oncePerKey(pool, key, async connection => {
      const [{ insertId }] = await connection.query<mysql.ResultSetHeader>('INSERT INTO orders (product) VALUES (?)', [
        product,
      ])
      return { id: insertId, product }
    })
  const orders = async () =>
    (await pool.query<mysql.RowDataPacket[]>('SELECT product FROM orders ORDER BY id'))[0].map(row => row['product'])

  test('writes once where ten calls come at once, before there is a table', async () => {
    const results = await Promise.all(Array.from({ length: 10 }, () => order('key-1', 'rice')))
    expect(new Set(results.map(({ id }) => id)).size).toBe(1)
    expect(await orders()).toEqual(['rice'])
  })

  test('is another key if it differs in case, accents or a space at its end', async () => {
    const keys = ['a-key-of-a-device', 'A-Key-Of-A-Device', 'á-key-of-a-device', 'a-key-of-a-device ']
    for (const key of keys) await order(key, key)
    expect(await orders()).toEqual(keys)
  })

  test('keeps results of any length', async () => {
    const product = 'é'.repeat(100_000)
    expect(await order('key-2', product)).toEqual(await order('key-2', 'other'))
  })

  test('is not kept where the write fails or its connection ends', async () => {
    const failing = oncePerKey(pool, 'key-3', async connection => {
      await connection.query("INSERT INTO orders (product) VALUES ('lost')")
      throw new Error('the warehouse is closed')
    })
    await expect(failing).rejects.toThrow('the warehouse is closed')
    const cut = oncePerKey(pool, 'key-3', async connection => {
      await connection.query("INSERT INTO orders (product) VALUES ('lost')")
      await pool.query('KILL ?', [connection.threadId])
    })
    await expect(cut).rejects.toThrow()
    await order('key-3', 'oats')
    expect(await orders()).toEqual(['oats'])
  })
})
