import type { WriteContext } from '@godwit/source'
import { postgresIsThere, type RunningPostgres } from '@godwit/testing'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Kysely } from 'kysely'
import { FeedStore, tableRows } from './feed-store.fixture.js'
import { openShopDatabase, type ShopDatabase, startShopServer } from './postgresql.fixture.js'
import { sqlFeed } from './sql-feed.js'
import { sqlSource } from './sql-source.js'

const whenThere = postgresIsThere() ? describe : describe.skip

/** A value of each type: as it is written in SQL, and as devices get it. */
const VALUES: { readonly [definition: string]: readonly [sql: string, json: unknown] } = {
  int2: ['-7', -7],
  int8: ['9007199254740993', '9007199254740993'],
  numeric: ['12.50', '12.50'],
  float4: ['1.1', 1.1],
  float8: [`'-Infinity'`, '-Infinity'],
  bool: ['true', true],
  timestamptz: [`'2024-03-31 03:30:00.123456+02'`, '2024-03-31T01:30:00.123456Z'],
  timestamp: [`'2024-03-31 02:30:00'`, '2024-03-31 02:30:00'],
  date: [`'2024-02-29'`, '2024-02-29'],
  interval: [`'1 day 2 hours'`, 'P1DT2H'],
  uuid: [`'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'`, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
  inet: [`'10.0.0.1'`, '10.0.0.1'],
  int4range: [`'[1,5)'`, '[1,5)'],
  'char(4)': [`'ab'`, 'ab  '],
  bytea: [`'\\x00ff'`, 'AP8='],
  json: [`'{"id": 9007199254740993}'`, '{"id": 9007199254740993}'],
  jsonb: [`'{"a": [1, null]}'`, { a: [1, null] }],
  'text[]': [`ARRAY['a "b"', NULL, 'c']`, ['a "b"', null, 'c']],
  'int[]': [
    `'{{1,2},{3,4}}'`,
    [
      [1, 2],
      [3, 4],
    ],
  ],
  mood: [`'glad'`, 'glad'],
  positive: ['5', 5],
}
const columns = Object.keys(VALUES).map((_, at) => `v${at}`)
const objectOf = (part: 0 | 1) => Object.fromEntries(Object.values(VALUES).map((value, at) => [`v${at}`, value[part]]))

whenThere('a source over a table of PostgreSQL', () => {
  let postgres: RunningPostgres
  let shop: ShopDatabase
  beforeAll(async () => {
    postgres = await startShopServer()
    shop = await openShopDatabase(postgres.url, 'shop')
  }, 60_000)
  afterAll(async () => {
    await shop?.close()
    await postgres?.stop()
  })
  const store = () => new FeedStore(sqlFeed({ db: shop.db }))
  const write = (idempotencyKey: string): WriteContext => ({ ...store().context('*'), idempotencyKey })
  const source = (table: string, names: readonly string[]) =>
    sqlSource({
      db: shop.db as unknown as Kysely<Record<string, Record<string, unknown>>>,
      name: 'Thing',
      table,
      key: 'id',
      columns: names,
    })

  test('delivers a value of each type without a loss, and stores what it delivered as it was', async () => {
    await shop.run(`CREATE TYPE mood AS ENUM ('glad', 'sad'); CREATE DOMAIN positive AS int CHECK (value > 0);
      SET TimeZone = 'Europe/Vienna'; CREATE TABLE things (id UUID PRIMARY KEY DEFAULT gen_random_uuid(), ${Object.keys(
        VALUES,
      )
        .map((type, at) => `v${at} ${type}`)
        .join(', ')});
      INSERT INTO things (${columns.join(', ')}) VALUES (${Object.values(objectOf(0)).join(', ')})`)
    const things = source('things', columns)
    const [first = {}] = Object.values(await tableRows(things, store()))
    expect(first).toEqual(objectOf(1))
    // The text of a JSON value that no double holds would be stored as a text.
    const { v15: _, ...rest } = first as Record<string, string>
    const made = await things.methods.create?.(rest, write('key-1'))
    expect(made).toMatchObject({ attributes: rest })
    const { id } = made as { readonly id: string }
    const [same] = await shop.run(
      `SELECT count(DISTINCT (${columns.filter(name => name !== 'v15' && name !== 'v16').join(', ')})) AS n FROM (SELECT ${columns
        .map(name => (name === 'v15' ? 'NULL AS v15' : name))
        .join(', ')} FROM things) t`,
    )
    expect(Number(same?.['n'])).toBe(1)
    await things.methods.update?.(id, { v5: false, v17: ['x'] }, write('key-2'))
    expect(await things.methods.get?.([id, 'no uuid'], store().context('*'))).toEqual({
      [id]: { ...rest, v5: false, v17: ['x'] },
    })
  })

  test('refuses with the name of the constraint, and writes once where ten calls come at once', async () => {
    const orders = source('orders', ['owner', 'amount'])
    await expect(orders.methods.create?.({ amount: 0 }, write('key-3'))).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('orders_amount_check'),
    })
    await expect(orders.methods.update?.('no number', { amount: 1 }, write('key-4'))).rejects.toMatchObject({
      code: 'refused',
    })
    const made = await Promise.all(
      Array.from({ length: 10 }, () => orders.methods.create?.({ amount: 3 }, write('key-5'))),
    )
    expect(new Set(made.map(answer => JSON.stringify(answer))).size).toBe(1)
    expect(await shop.run('SELECT amount FROM orders')).toEqual([{ amount: 3 }])
  })

  test('leaves a change unknown, and does it once, where its connection ends within it', async () => {
    const holder = await shop.connect()
    await holder.query('BEGIN; LOCK TABLE orders')
    const orders = source('orders', ['owner', 'amount'])
    const cut = orders.methods.create?.({ amount: 7 }, write('key-6')) as Promise<unknown>
    const failed = expect(cut).rejects.not.toMatchObject({ code: 'refused' })
    while (
      (
        await shop.run(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%INSERT INTO "orders"%'`,
        )
      ).length === 0
    );
    await failed
    await holder.query('COMMIT')
    await orders.methods.create?.({ amount: 7 }, write('key-6'))
    expect(await shop.run('SELECT amount FROM orders WHERE amount = 7')).toHaveLength(1)
    await holder.end()
  })
})
