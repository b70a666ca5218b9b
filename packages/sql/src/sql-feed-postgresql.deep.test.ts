import { postgresIsThere, type RunningPostgres, until } from '@godwit/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { sql } from 'kysely'
import { postgresqlLog } from './changes/postgresql.js'
import { newPosition, type Position, step } from './changes/step.js'
import { openDatabase } from './database.js'
import { FeedStore, tableRows } from './feed-store.fixture.js'
import {
  openPool,
  openShopDatabase,
  type ShopDatabase,
  type ShopTables,
  startShopServer,
} from './postgresql.fixture.js'
import { type SqlFeed, sqlFeed } from './sql-feed.js'
import { sqlSource } from './sql-source.js'

const whenThere = postgresIsThere() ? describe : describe.skip
const OWNERS = ['ada', 'bob', 'eve']
const orders = (db: SqlFeed<ShopTables>) =>
  sqlSource({ db, name: 'Order', table: 'orders', key: 'id', columns: ['product', 'amount'], owner: 'owner' })
const within = { within: 8_000, every: 20 }

whenThere('a feed of PostgreSQL', () => {
  let postgres: RunningPostgres
  let shop: ShopDatabase
  let feed: SqlFeed<ShopTables>
  let source: ReturnType<typeof orders>
  let store: FeedStore
  let number = 0

  const open = () => {
    feed = sqlFeed({ db: shop.db, pollInterval: 20, heartbeat: 300 })
    source = orders(feed)
    store = new FeedStore(feed)
    for (const owner of OWNERS) store.open(source, owner)
  }
  const sorted = (objects: object) => JSON.stringify(Object.entries(objects).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const isEqual = async () => {
    for (const owner of OWNERS)
      if (sorted(store.objects(source, owner)) !== sorted(await tableRows(source, store, owner))) return false
    return true
  }

  beforeAll(async () => {
    postgres = await startShopServer()
  }, 60_000)
  beforeEach(async () => {
    shop = await openShopDatabase(postgres.url, `shop${number++}`)
    open()
    await feed.install()
  })
  afterEach(async () => {
    await store?.stop()
    await shop?.close()
  })
  afterAll(() => postgres?.stop())

  test('brings every kind of change, also of transactions that commit late or were prepared', async () => {
    await shop.run(
      `INSERT INTO orders (id, owner, product) VALUES (1, 'ada', 'tea'), (2, 'ada', 'oil'), (3, 'bob', 'rye')`,
    )
    store.start()
    await until(isEqual, within)
    const late = await shop.connect()
    await late.query(`BEGIN; INSERT INTO orders (id, owner, product) VALUES (4, 'eve', 'late')`)
    const prepared = await shop.connect()
    await prepared.query(
      `BEGIN; INSERT INTO orders (id, owner, product) VALUES (5, 'eve', 'prepared'); PREPARE TRANSACTION 'p'`,
    )
    await shop.run(`UPDATE orders SET amount = 5 WHERE id = 1`)
    await shop.run(`UPDATE orders SET owner = 'bob' WHERE id = 2`)
    await shop.run(`UPDATE orders SET id = 33 WHERE id = 3`)
    await shop.run(`INSERT INTO orders SELECT i, 'eve', 'many', i FROM generate_series(100, 5100) i`)
    await until(isEqual, within)
    await late.query('COMMIT')
    await prepared.query(`COMMIT PREPARED 'p'`)
    await until(isEqual, within)
    expect(Object.keys(store.objects(source, 'eve'))).toHaveLength(5003)
    await late.query(`BEGIN; UPDATE orders SET product = 'never' WHERE id = 1; ROLLBACK`)
    await shop.run(`DELETE FROM orders WHERE id > 50`)
    await until(isEqual, within)
    expect(JSON.stringify(store.batches)).not.toContain('never')
    expect([store.gone, store.errors]).toEqual([0, []])
    await Promise.all([late.end(), prepared.end()])
  })

  /** Commits in memory only: a crash loses it unless something later is flushed. */
  const insertAsynchronously = (id: number) =>
    shop.db.connection().execute(async connection => {
      await sql`SET synchronous_commit = off`.execute(connection)
      await sql`INSERT INTO orders (id, owner, product) VALUES (${id}, 'ada', 'lazy')`.execute(connection)
      await sql`RESET synchronous_commit`.execute(connection)
    })
  const hasOrder = async (id: number) => (await shop.run(`SELECT 1 FROM orders WHERE id = ${id}`)).length === 1

  test('has no row of a commit that a crash loses between the stamping and the reading', async () => {
    const database = openDatabase(shop.db)
    const tables = feed.tables
    const position = await database.connect(connection =>
      newPosition(connection, { log: postgresqlLog, tables, mark: 'first' }),
    )
    await shop.run(`INSERT INTO orders (id, owner) VALUES (1, 'ada')`)
    let seen: readonly unknown[] = []
    const result = await database.connect(connection =>
      step(connection, {
        log: postgresqlLog,
        tables,
        position,
        proofs: [],
        after: 0,
        mark: 'second',
        async read(reading) {
          await insertAsynchronously(2)
          seen = await reading.all(sql`SELECT id FROM orders`)
        },
      }),
    )
    await postgres.crash()
    expect(seen).toHaveLength(2)
    // What was read is there, and so is its change.
    expect(await hasOrder(2)).toBe(true)
    const next = (result as { readonly position: Position }).position
    const after = await database.connect(connection =>
      step(connection, {
        log: postgresqlLog,
        tables,
        position: next,
        proofs: [],
        after: 0,
        mark: 'third',
        read: async () => {},
      }),
    )
    expect(after).toMatchObject({ changes: [{ new_key: '2' }] })
    // The crash does lose such a commit where nothing later is flushed.
    await insertAsynchronously(3)
    expect(await hasOrder(3)).toBe(true)
    await postgres.crash()
    expect(await hasOrder(3)).toBe(false)
  })

  test('has no row of a reading that a crash loses, and begins over where a failover loses its mark', async () => {
    await store.take(1)
    await insertAsynchronously(1)
    await store.query(store.open(source, 'ada'))
    await postgres.crash()
    expect(await hasOrder(1)).toBe(true)
    expect(store.objects(source, 'ada')).toEqual({ 1: { product: 'lazy' } })
    // A replica that lacks the tail: row, change and mark of the reading are gone, the mark of the feed is not.
    await shop
      .run('ALTER TABLE orders DISABLE TRIGGER ALL; DELETE FROM orders; ALTER TABLE orders ENABLE ALWAYS TRIGGER ALL')
      .catch(() => {})
    await shop.run('DELETE FROM godwit.batch WHERE n = (SELECT max(n) FROM godwit.batch)')
    store.start()
    await until(() => store.gone > 0, within)
    await feed.install()
    await until(isEqual, within)
  })

  test('delivers again what a reader had stamped that was killed before it was applied', async () => {
    await store.take(1)
    await shop.run(`INSERT INTO orders (id, owner, product) VALUES (1, 'ada', 'tea')`)
    await store.take(1, true)
    expect(store.objects(source, 'ada')).toEqual({})
    const other = new FeedStore(sqlFeedOf('other'))
    await other.take(1)
    await store.take(1)
    expect(store.objects(source, 'ada')).toEqual({ 1: { product: 'tea' } })
  })
  const sqlFeedOf = (name: string) => {
    const made = sqlFeed({ db: shop.db, name, pollInterval: 20 })
    orders(made)
    return made
  }

  test('goes on when a reader that hangs within its step is ended by the database', async () => {
    store.start()
    await until(isEqual, within)
    const hanging = await shop.connect()
    await hanging.query('BEGIN')
    await hanging.query(`SELECT set_config('idle_in_transaction_session_timeout', '1s', true)`)
    await hanging.query('SELECT FROM godwit.lock FOR UPDATE')
    await shop.run(`INSERT INTO orders (id, owner, product) VALUES (1, 'ada', 'tea')`)
    await until(isEqual, within)
    expect([store.objects(source, 'ada'), store.errors]).toEqual([{ 1: { product: 'tea' } }, []])
    await hanging.end().catch(() => {})
  })

  test('reads a table again after TRUNCATE, and after its columns change', async () => {
    await shop.run(`INSERT INTO orders (id, owner, product) VALUES (1, 'ada', 'tea'), (2, 'bob', '7')`)
    store.start()
    await until(isEqual, within)
    await shop.run('TRUNCATE orders')
    await until(isEqual, within)
    expect(store.objects(source, 'ada')).toEqual({})
    await shop.run(`INSERT INTO orders (id, owner, product) VALUES (1, 'ada', '8')`)
    await until(isEqual, within)
    await shop.run('ALTER TABLE orders ALTER COLUMN product TYPE INT USING product::int + 1')
    await until(isEqual, within)
    expect(store.objects(source, 'ada')).toEqual({ 1: { product: 9 } })
    // The type stays, and no trigger sees the rewritten values.
    await shop.run('ALTER TABLE orders ALTER COLUMN product TYPE INT USING product * 2')
    await until(isEqual, within)
    expect(store.objects(source, 'ada')).toEqual({ 1: { product: 18 } })
    expect(store.errors).toEqual([])
  })

  test('names triggers that were switched off and on, and a swapped table, and reads again once installed', async () => {
    await shop.run(`INSERT INTO orders (id, owner, product) VALUES (1, 'ada', 'tea')`)
    store.start()
    await until(isEqual, within)
    for (const change of [
      `ALTER TABLE orders DISABLE TRIGGER ALL; UPDATE orders SET product = 'silent'; ALTER TABLE orders ENABLE TRIGGER ALL`,
      `CREATE TABLE other (LIKE orders INCLUDING ALL); INSERT INTO other (id, owner, product) VALUES (2, 'ada', 'swapped');
        ALTER TABLE orders RENAME TO former; ALTER TABLE other RENAME TO orders`,
    ]) {
      const { length } = store.errors
      await shop.run(change)
      await until(() => store.errors.length > length, within)
      expect(store.errors.at(-1)).toContain('Run `godwit sql install`')
      expect((await feed.status())[0]?.problem).toContain('ENABLE ALWAYS')
      await feed.install()
      await until(isEqual, within)
    }
    expect(store.objects(source, 'ada')).toEqual({ 2: { product: 'swapped' } })
  })

  test('begins over after the budget was reached, and never stops a writer', async () => {
    store.start()
    await until(isEqual, within)
    await shop.run(`UPDATE godwit.state SET budget = 0`)
    const open = await shop.connect()
    await open.query(`BEGIN; INSERT INTO orders (id, owner) VALUES (1, 'ada')`)
    await shop.run(`INSERT INTO orders SELECT i, 'bob', 'over', i FROM generate_series(10, 1000) i`)
    await new Promise(resolve => setTimeout(resolve, 600))
    await shop.run(`UPDATE godwit.state SET budget = 1000000000`)
    await open.query('COMMIT')
    await until(isEqual, within)
    expect(store.gone).toBeGreaterThan(0)
    const { gone } = store
    await shop.run(`INSERT INTO orders (id, owner) VALUES (2000, 'eve')`)
    await until(isEqual, within)
    expect(store.gone - gone).toBeLessThan(3)
    await open.end()
  })

  test('begins over in a database that was restored from a dump', async () => {
    await shop.run(`INSERT INTO orders (id, owner, product) VALUES (1, 'ada', 'tea')`)
    store.start()
    await until(isEqual, within)
    const name = `shop${number - 1}`
    const admin = openPool(postgres.url)
    await admin.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`)
    await until(
      () =>
        admin.run(`CREATE DATABASE dump TEMPLATE ${name}`).then(
          () => true,
          async () => {
            await admin.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`)
            return false
          },
        ),
      within,
    )
    await until(
      () =>
        shop.run(`UPDATE orders SET product = 'after the dump'`).then(
          () => true,
          () => false,
        ),
      within,
    )
    await until(isEqual, within)
    await until(async () => {
      try {
        await admin.run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
        await admin.run(`ALTER DATABASE dump RENAME TO ${name}`)
        return true
      } catch {
        return false
      }
    }, within)
    await until(() => store.gone > 0, within)
    await until(() => isEqual().catch(() => false), within)
    expect(store.objects(source, 'ada')).toEqual({ 1: { product: 'tea' } })
    await admin.close()
  })

  test('installs beside writers, naming who holds the table, and misses none of their rows', async () => {
    await feed.remove()
    const holder = await shop.connect()
    await holder.query(`BEGIN; INSERT INTO orders (id, owner) VALUES (1, 'ada')`)
    const lines: string[] = []
    const installing = feed.install({ report: line => void lines.push(line) })
    await until(() => lines.some(line => line.includes('waiting for orders')), within)
    expect(lines.join()).toContain('INSERT INTO orders')
    await shop.run(`INSERT INTO orders (id, owner) VALUES (2, 'ada')`)
    await holder.query('COMMIT')
    await installing
    store.start()
    await until(isEqual, within)
    expect(Object.keys(store.objects(source, 'ada'))).toEqual(['1', '2'])
    await holder.end()
  })

  test('reads partitions of a partitioned table, and notices one that is attached', async () => {
    await feed.remove()
    await shop.run(`DROP TABLE orders; CREATE TABLE orders (id BIGINT, owner TEXT, product TEXT, amount INT, PRIMARY KEY (id)) PARTITION BY RANGE (id);
      CREATE TABLE low PARTITION OF orders FOR VALUES FROM (0) TO (100)`)
    await feed.install()
    store.start()
    await until(isEqual, within)
    await shop.run(`INSERT INTO low (id, owner) VALUES (1, 'ada')`)
    await until(isEqual, within)
    await shop.run(`CREATE TABLE high (LIKE orders INCLUDING ALL); INSERT INTO high (id, owner) VALUES (200, 'ada');
      ALTER TABLE orders ATTACH PARTITION high FOR VALUES FROM (100) TO (1000)`)
    await until(isEqual, within)
    await feed.install()
    await shop.run('TRUNCATE high')
    await until(isEqual, within)
    expect(Object.keys(store.objects(source, 'ada'))).toEqual(['1'])
  })

  test('is refused where a policy hides rows, instead of removing them from devices', async () => {
    await shop.run(`INSERT INTO orders (id, owner) VALUES (1, 'ada'); ALTER TABLE orders ENABLE ROW LEVEL SECURITY;
      DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN; GRANT SELECT ON orders TO reader; GRANT USAGE ON SCHEMA godwit TO reader;
      GRANT ALL ON ALL TABLES IN SCHEMA godwit TO reader; GRANT ALL ON ALL SEQUENCES IN SCHEMA godwit TO reader`)
    const limited = openPool(postgres.url.replace('postgres@', 'reader@').replace(/[^/]+$/, `shop${number - 1}`))
    const hidden = orders(sqlFeed({ db: limited.db }))
    await expect(tableRows(hidden, store, 'ada')).rejects.toMatchObject({ code: '42501' })
    await limited.close()
    await shop.run('DROP OWNED BY reader; DROP ROLE reader')
  })
})
