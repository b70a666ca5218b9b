import { oncePerKey } from '@godwit/server'
import { postgresIsThere, type RunningPostgres, startPostgres } from '@godwit/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import Database from 'better-sqlite3'
import pg from 'pg'

const soon = (milliseconds: number): Promise<void> => new Promise(resolve => setTimeout(resolve, milliseconds))
const whenThere = postgresIsThere() ? describe : describe.skip

whenThere('a key in PostgreSQL', () => {
  let postgres: RunningPostgres
  let pool: pg.Pool
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  beforeEach(async () => {
    pool = new pg.Pool({ connectionString: postgres.url, max: 10 })
    pool.on('error', () => {})
    await pool.query('DROP TABLE IF EXISTS godwit_keys, orders')
    await pool.query('CREATE TABLE orders (id BIGSERIAL PRIMARY KEY, product TEXT NOT NULL)')
  })
  afterEach(() => pool.end())
  afterAll(() => postgres?.stop())

  const order = (key: string, product: string) =>
    oncePerKey(pool, key, async client => {
      const { rows } = await client.query<{ id: string }>('INSERT INTO orders (product) VALUES ($1) RETURNING id', [
        product,
      ])
      return { id: rows[0]?.id, attributes: { product } }
    })
  const orders = async () => (await pool.query('SELECT product FROM orders ORDER BY id')).rows.map(row => row.product)

  test('writes once and gives the first result again, also through another pool', async () => {
    const first = await order('key-1', 'beans')
    expect(first).toEqual({ id: '1', attributes: { product: 'beans' } })
    expect(await order('key-1', 'other')).toEqual(first)
    const other = new pg.Pool({ connectionString: postgres.url })
    expect(await oncePerKey(other, 'key-1', () => Promise.reject(new Error('never called')))).toEqual(first)
    await other.end()
    expect(await orders()).toEqual(['beans'])
  })

  test('writes once where ten calls come at once, before there is a table', async () => {
    const results = await Promise.all(Array.from({ length: 10 }, () => order('key-2', 'rice')))
    expect(new Set(results.map(({ id }) => id)).size).toBe(1)
    expect(await orders()).toEqual(['rice'])
  })

  test('is not kept where the write fails, so that a repeat writes', async () => {
    const failing = oncePerKey(pool, 'key-3', async client => {
      await client.query("INSERT INTO orders (product) VALUES ('lost')")
      throw new Error('the warehouse is closed')
    })
    await expect(failing).rejects.toThrow('the warehouse is closed')
    expect(await orders()).toEqual([])
    await order('key-3', 'oats')
    expect(await orders()).toEqual(['oats'])
    expect(pool.totalCount).toBe(pool.idleCount)
  })

  test('is not kept where the connection ends within the write, and nothing stray is thrown', async () => {
    const cut = oncePerKey(pool, 'key-4', async client => {
      await client.query("INSERT INTO orders (product) VALUES ('lost')")
      const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
      await pool.query('SELECT pg_terminate_backend($1)', [rows[0].pid])
      await soon(100)
    })
    await expect(cut).rejects.toThrow()
    await order('key-4', 'peas')
    expect(await orders()).toEqual(['peas'])
  })

  test('works for a user of the database who may not create tables', async () => {
    await order('key-5', 'corn')
    await pool.query('DROP ROLE IF EXISTS writer')
    await pool.query('CREATE ROLE writer LOGIN')
    await pool.query('GRANT SELECT, INSERT, UPDATE ON godwit_keys, orders TO writer')
    const limited = new pg.Pool({ connectionString: postgres.url.replace('postgres@', 'writer@') })
    const result = await oncePerKey(limited, 'key-6', async client => {
      await client.query("INSERT INTO orders (id, product) VALUES (100, 'figs')")
    })
    expect(result).toBeUndefined()
    await limited.end()
    expect(await orders()).toEqual(['corn', 'figs'])
    await pool.query('DROP OWNED BY writer')
  })
})

describe('a key in SQLite', () => {
  const database = new Database(':memory:')
  database.exec('CREATE TABLE orders (id INTEGER PRIMARY KEY, product TEXT NOT NULL)')
  afterAll(() => void database.close())
  const order = (key: string, product: string) =>
    oncePerKey(database, key, db => ({
      id: db.prepare('INSERT INTO orders (product) VALUES (?)').run(product).lastInsertRowid,
    }))
  const count = (): unknown => database.prepare('SELECT count(*) FROM orders').pluck().get()

  test('writes once and gives the first result again', async () => {
    expect(await order('key-1', 'beans')).toEqual({ id: 1 })
    expect(await order('key-1', 'other')).toEqual({ id: 1 })
    expect(count()).toBe(1)
  })

  test('is not kept where the write fails or is not synchronous', async () => {
    const failing = oncePerKey(database, 'key-2', () => {
      throw new Error('the warehouse is closed')
    })
    await expect(failing).rejects.toThrow('the warehouse is closed')
    await expect(oncePerKey(database, 'key-2', async () => 1)).rejects.toThrow('expected a result, got a promise')
    await order('key-2', 'oats')
    expect(count()).toBe(2)
  })
})
