import { mariaDbIsThere, type RunningMariaDb, startMariaDb, until } from '@godwit/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { Kysely, MysqlDialect, sql } from 'kysely'
import { createConnection, createPool } from 'mysql2'
import { FeedStore, tableRows } from './feed-store.fixture.js'
import { type SqlFeed, sqlFeed } from './sql-feed.js'
import { sqlSource } from './sql-source.js'

const whenThere = mariaDbIsThere() ? describe : describe.skip
const OWNERS = ['ada', 'bob']
const within = { within: 8_000, every: 20 }

interface ShopTables {
  readonly customers: { readonly id: number; readonly name: string }
  readonly orders: Record<string, unknown>
}

whenThere('a feed of MariaDB', () => {
  let mariaDb: RunningMariaDb
  let db: Kysely<ShopTables>
  let feed: SqlFeed<ShopTables>
  let source: ReturnType<typeof orders>
  let store: FeedStore
  const orders = (of: SqlFeed<ShopTables>) =>
    sqlSource({
      db: of,
      name: 'Order',
      table: 'orders',
      key: 'id',
      columns: ['customer', 'product', 'price', 'at', 'done'],
      owner: 'owner',
    })
  const openPool = () =>
    new Kysely<ShopTables>({
      dialect: new MysqlDialect({
        pool: createPool({
          uri: mariaDb.url,
          connectionLimit: 6,
          bigNumberStrings: true,
          supportBigNumbers: true,
          dateStrings: true,
        }),
      }),
    })
  const run = (text: string) => sql.raw(text).execute(db)
  const sorted = (objects: object) => JSON.stringify(Object.entries(objects).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const isEqual = async () => {
    for (const owner of OWNERS)
      if (sorted(store.objects(source, owner)) !== sorted(await tableRows(source, store, owner))) return false
    return true
  }
  /** A separate connection, for a transaction. */
  const connect = () => {
    const connection = createConnection({ uri: mariaDb.url })
    connection.on('error', () => {})
    const query = connection.promise()
    return { run: (text: string) => query.query(text), end: () => query.end() }
  }

  beforeAll(async () => {
    mariaDb = await startMariaDb()
  }, 60_000)
  beforeEach(async () => {
    db = openPool()
    await run('DROP DATABASE test')
    await run('CREATE DATABASE test CHARACTER SET utf8mb4')
    await db.destroy()
    db = openPool()
    await run('CREATE TABLE customers (id INT PRIMARY KEY, name VARCHAR(50))')
    await run(`CREATE TABLE orders (id BIGINT AUTO_INCREMENT PRIMARY KEY, owner VARCHAR(20), customer INT, product VARCHAR(50), price DECIMAL(20, 2),
      at TIMESTAMP(6) NULL, done TINYINT(1), code VARCHAR(9) UNIQUE, CHECK (price > 0),
      FOREIGN KEY (customer) REFERENCES customers (id) ON DELETE CASCADE ON UPDATE CASCADE)`)
    feed = sqlFeed({ db, pollInterval: 20, heartbeat: 300 })
    source = orders(feed)
    store = new FeedStore(feed)
    for (const owner of OWNERS) store.open(source, owner)
    await feed.install()
  })
  afterEach(async () => {
    await store?.stop()
    await db?.destroy()
  })
  afterAll(() => mariaDb?.stop())

  test('brings every kind of change, and neither waits for open transactions nor stops them', async () => {
    await run(
      `INSERT INTO orders (id, owner, product, price) VALUES (1, 'ada', 'tea', 12.50), (2, 'ada', 'oil', 1), (3, 'bob', 'rye', 2)`,
    )
    store.start()
    await until(isEqual, within)
    const late = connect()
    await late.run('BEGIN')
    await late.run(`INSERT INTO orders (id, owner, product) VALUES (4, 'bob', 'late')`)
    await run(`UPDATE orders SET owner = 'bob' WHERE id = 2`)
    await run(`UPDATE orders SET id = 33 WHERE id = 3`)
    await run(`REPLACE INTO orders (id, owner, product) VALUES (1, 'bob', 'moved')`)
    await until(isEqual, within)
    await late.run(`INSERT INTO orders (id, owner, product) VALUES (5, 'bob', 'late')`)
    await late.run('COMMIT')
    await until(isEqual, within)
    expect(Object.keys(store.objects(source, 'bob'))).toEqual(expect.arrayContaining(['1', '2', '33', '4', '5']))
    await run('DELETE FROM orders WHERE id > 3')
    await until(isEqual, within)
    expect([store.gone, store.errors]).toEqual([0, []])
    await late.end()
  })

  test('brings rows that foreign keys change or delete, which fires no trigger', async () => {
    await run(`INSERT INTO customers VALUES (1, 'Ann'), (2, 'Ben')`)
    await run(`INSERT INTO orders (id, owner, customer) VALUES (1, 'ada', 1), (2, 'bob', 2)`)
    store.start()
    await until(isEqual, within)
    await run('DELETE FROM customers WHERE id = 1')
    await run('UPDATE customers SET id = 7 WHERE id = 2')
    await until(isEqual, within)
    expect([store.objects(source, 'ada'), store.objects(source, 'bob')]).toEqual([{}, { 2: { customer: 7 } }])
  })

  test('reads a table again after TRUNCATE, after its columns change, and once lost triggers are installed', async () => {
    await run(`INSERT INTO orders (id, owner, product) VALUES (1, 'ada', '7')`)
    store.start()
    await until(isEqual, within)
    await run('TRUNCATE orders')
    await until(isEqual, within)
    await run(`INSERT INTO orders (id, owner, product) VALUES (1, 'ada', '8')`)
    await run('ALTER TABLE orders MODIFY product INT')
    await until(isEqual, within)
    expect(store.objects(source, 'ada')).toEqual({ 1: { product: 8 } })
    await run('CREATE TABLE other LIKE orders')
    await run(`INSERT INTO other (id, owner) VALUES (9, 'ada')`)
    await run('RENAME TABLE orders TO former, other TO orders')
    await until(() => store.errors.length > 0, within)
    expect(store.errors[0]).toContain('Run `godwit sql install`')
    await feed.install()
    await until(isEqual, within)
    expect(store.objects(source, 'ada')).toEqual({ 9: {} })
  })

  test('begins over after the budget was reached, and never stops a writer', async () => {
    store.start()
    await until(isEqual, within)
    await run('DELETE FROM godwit_block')
    for (let id = 1; id < 20; id++) await run(`INSERT INTO orders (id, owner) VALUES (${id}, 'ada')`)
    expect((await run('SELECT 1 FROM godwit_change WHERE new_key IS NOT NULL')).rows).toEqual([])
    await until(isEqual, within)
    expect(store.gone).toBeGreaterThan(0)
    await run(`INSERT INTO orders (id, owner) VALUES (100, 'bob')`)
    await until(isEqual, within)
  })

  test('writes once for a key, and refuses with the name of the constraint', async () => {
    const { create, update, delete: remove } = source.methods
    const context = (idempotencyKey: string) => ({ ...store.context('ada'), idempotencyKey })
    const values = { product: 'tea', price: '12.50', at: '2026-10-25T00:30:00.123456Z', done: true }
    const made = (await create?.(values, context('key-1'))) as { readonly id: string }
    expect(made).toEqual({ id: '1', attributes: values })
    expect(await create?.({ product: 'other' }, context('key-1'))).toEqual(made)
    expect(await create?.({ product: 'other' }, context('KEY-1'))).toMatchObject({ id: '2' })
    await expect(create?.({ price: '-1' }, context('key-2'))).rejects.toMatchObject({ code: 'refused' })
    await expect(create?.({ customer: 99 }, context('key-3'))).rejects.toMatchObject({ code: 'refused' })
    expect(await update?.(made.id, { price: '3.00', done: false }, context('key-4'))).toEqual({
      price: '3.00',
      done: false,
    })
    await remove?.(made.id, context('key-5'))
    expect(await tableRows(source, store, 'ada')).toEqual({ 2: { product: 'other' } })
  })
})
