import type { WriteContext } from '@godwit/source'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type Kysely, sql } from 'kysely'
import { FeedStore, tableRows } from './feed-store.fixture.js'
import { sqlFeed } from './sql-feed.js'
import { sqlSource } from './sql-source.js'
import { openShop, type ShopTables } from './sqlite.fixture.js'

describe('a source over a table of SQLite', () => {
  let db: Kysely<ShopTables>
  beforeEach(async () => {
    db = await openShop()
  })
  afterEach(() => db.destroy())

  const define = () =>
    sqlSource({
      db,
      name: 'Order',
      table: 'orders',
      key: 'id',
      columns: ['product', 'amount', 'code', 'version'],
      owner: 'owner',
      softDelete: 'deleted_at',
      version: 'version',
      newId: () => 'new',
    })
  const store = () => new FeedStore(sqlFeed({ db }))
  const write = (idempotencyKey: string, user = 'ada'): WriteContext => ({ ...store().context(user), idempotencyKey })

  test('a query yields the rows of the partition, without those that are marked as deleted', async () => {
    await sql`INSERT INTO orders (id, owner, product, amount, deleted_at) VALUES ('1', 'ada', 'tea', 2, NULL), ('2', 'bob', 'oil', 1, NULL), ('3', 'ada', 'rye', 1, 'now')`.execute(
      db,
    )
    expect(await tableRows(define(), store(), 'ada')).toEqual({ 1: { product: 'tea', amount: 2, version: 1 } })
  })

  test('a query reads more rows than a page has, and each once', async () => {
    await sql`INSERT INTO orders (id, owner, amount) SELECT value, 'ada', value + 1 FROM generate_series(0, 2499)`
      .execute(db)
      .catch(() =>
        sql`WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2499)
          INSERT INTO orders (id, owner, amount) SELECT i, 'ada', i + 1 FROM n`.execute(db),
      )
    expect(Object.keys(await tableRows(define(), store(), 'ada'))).toHaveLength(2500)
  })

  test('get returns the rows of the partition alone', async () => {
    await sql`INSERT INTO orders (id, owner, product) VALUES ('1', 'ada', 'tea'), ('2', 'bob', 'oil')`.execute(db)
    const found = await define().methods.get?.(['1', '2', '3'], store().context('ada'))
    expect(found).toEqual({ 1: { product: 'tea', version: 1 } })
  })

  test('a repeated create inserts one row, and returns the first result', async () => {
    const { create } = define().methods
    const first = await create?.({ product: 'tea', amount: 2 }, write('key-1'))
    expect(first).toEqual({ id: 'new', attributes: { product: 'tea', amount: 2, version: 1 } })
    expect(await create?.({ product: 'other' }, write('key-1'))).toEqual(first)
    const { rows } = await sql`SELECT id, owner, product FROM orders`.execute(db)
    expect(rows).toEqual([{ id: 'new', owner: 'ada', product: 'tea' }])
  })

  test('what the database never accepts is refused with the name of the constraint', async () => {
    const { create } = define().methods
    await expect(create?.({ amount: -1 }, write('key-1'))).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('amount > 0'),
    })
    await create?.({ code: 'a' }, write('key-2'))
    await expect(create?.({ code: 'a' }, write('key-3'))).rejects.toMatchObject({ code: 'refused' })
    await expect(create?.({ color: 'red' }, write('key-4'))).rejects.toThrow('expected the attributes product, amount')
  })

  test('an update changes the row of the partition, raises its version, and returns what is stored', async () => {
    await sql`INSERT INTO orders (id, owner, product) VALUES ('1', 'ada', 'tea')`.execute(db)
    const { update } = define().methods
    expect(await update?.('1', { amount: 3, product: null }, write('key-1'))).toEqual({
      amount: 3,
      product: null,
      version: 2,
    })
    await expect(update?.('1', { amount: 4 }, write('key-2', 'bob'))).rejects.toThrow('There is no row 1')
    await expect(update?.('1', { amount: 4, version: 1 }, write('key-3'))).rejects.toThrow('has changed meanwhile')
    expect(await update?.('1', { amount: 4, version: 2 }, write('key-4'))).toEqual({ amount: 4, version: 3 })
  })

  test('a delete marks the row of the partition, and is a success where none is left', async () => {
    await sql`INSERT INTO orders (id, owner) VALUES ('1', 'ada'), ('2', 'bob')`.execute(db)
    const { delete: remove } = define().methods
    await remove?.('1', write('key-1'))
    await remove?.('1', write('key-2'))
    await remove?.('2', write('key-3'))
    const { rows } = await sql`SELECT id FROM orders WHERE deleted_at IS NULL`.execute(db)
    expect(rows).toEqual([{ id: '2' }])
  })

  test('a column that does not exist is named with those that do', async () => {
    await sql`ALTER TABLE orders RENAME COLUMN product TO item`.execute(db)
    await expect(tableRows(define(), store(), 'ada')).rejects.toThrow(
      'expected a column product in orders, got id, owner, item',
    )
  })
})
