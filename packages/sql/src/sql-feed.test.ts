import { until } from '@godwit/testing'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type Kysely, sql } from 'kysely'
import { FeedStore, tableRows } from './feed-store.fixture.js'
import { randomOf } from './random.fixture.js'
import { type SqlFeed, sqlFeed } from './sql-feed.js'
import { sqlSource } from './sql-source.js'
import { openShop, type ShopTables } from './sqlite.fixture.js'

const OWNERS = ['ada', 'bob', 'eve']
const order = (db: SqlFeed<ShopTables>) =>
  sqlSource({ db, name: 'Order', table: 'orders', key: 'id', columns: ['product', 'amount', 'code'], owner: 'owner' })

describe('a feed of SQLite', () => {
  let db: Kysely<ShopTables>
  let store: FeedStore
  let feed: SqlFeed<ShopTables>
  let source: ReturnType<typeof order>
  const run = (text: string) => sql.raw(text).execute(db)
  const open = (budget = 1_000_000) => {
    feed = sqlFeed({ db, pollInterval: 2, heartbeat: 50, budget })
    source = order(feed)
    store = new FeedStore(feed)
    for (const owner of OWNERS) store.open(source, owner)
  }
  /** Every partition is what the table has. */
  const isEqual = async () => {
    for (const owner of OWNERS)
      if (
        JSON.stringify(sorted(store.objects(source, owner))) !==
        JSON.stringify(sorted(await tableRows(source, store, owner)))
      )
        return false
    return true
  }
  const sorted = (objects: object) => Object.entries(objects).toSorted(([a], [b]) => (a < b ? -1 : 1))

  beforeEach(async () => {
    db = await openShop()
    open()
    await feed.install()
  })
  afterEach(async () => {
    await store.stop()
    await db.destroy()
  })

  test('brings what is inserted, changed, moved to another owner, given another key, and deleted', async () => {
    await run(
      `INSERT INTO orders (id, owner, product) VALUES ('1', 'ada', 'tea'), ('2', 'ada', 'oil'), ('3', 'bob', 'rye')`,
    )
    store.start()
    await until(isEqual, { within: 5000 })
    await run(`UPDATE orders SET amount = 5 WHERE id = '1'`)
    await run(`UPDATE orders SET owner = 'bob' WHERE id = '2'`)
    await run(`UPDATE orders SET id = '33' WHERE id = '3'`)
    await run(`DELETE FROM orders WHERE id = '1'`)
    await run(`INSERT INTO orders (id, owner) VALUES ('4', 'eve')`)
    await until(isEqual, { within: 5000 })
    expect(store.objects(source, 'bob')).toEqual({ 2: { product: 'oil' }, 33: { product: 'rye' } })
    expect(store.gone).toBe(0)
  })

  test('brings rows that REPLACE pushes out by their key or by a unique column', async () => {
    await run(`INSERT INTO orders (id, owner, code) VALUES ('1', 'ada', 'x'), ('2', 'bob', 'y')`)
    store.start()
    await until(isEqual, { within: 5000 })
    await run(`REPLACE INTO orders (id, owner, code) VALUES ('1', 'bob', 'x')`)
    await run(`REPLACE INTO orders (id, owner, code) VALUES ('3', 'eve', 'y')`)
    await until(isEqual, { within: 5000 })
    expect(store.objects(source, 'ada')).toEqual({})
  })

  test('proves with heartbeats that it is alive while nothing changes', async () => {
    store.start()
    await until(() => store.heartbeats >= 2)
    expect(store.errors).toEqual([])
  })

  test('delivers again what a killed reader had taken', async () => {
    await store.take(1)
    await run(`INSERT INTO orders (id, owner, product) VALUES ('1', 'ada', 'tea')`)
    await store.take(1, true)
    expect(store.objects(source, 'ada')).toEqual({})
    await store.take(1)
    expect(store.objects(source, 'ada')).toEqual({ 1: { product: 'tea' } })
  })

  test('begins over where the log was not read for a week or is over its budget', async () => {
    store.start()
    await until(isEqual, { within: 5000 })
    await run(`UPDATE godwit_state SET budget = 0`)
    await run(`INSERT INTO orders (id, owner) VALUES ('1', 'ada'), ('2', 'ada'), ('3', 'ada')`)
    await run(`UPDATE godwit_state SET budget = 1000`)
    await until(isEqual, { within: 5000 })
    expect(store.gone).toBeGreaterThan(0)
    await run(`UPDATE godwit_state SET seen = 0`)
    await run(`INSERT INTO orders (id, owner) VALUES ('4', 'ada')`)
    await until(isEqual, { within: 5000 })
    await run(`INSERT INTO orders (id, owner) VALUES ('5', 'ada')`)
    await until(isEqual, { within: 5000 })
    expect(Object.keys(store.objects(source, 'ada'))).toHaveLength(5)
  })

  test('begins over where the database does not know a mark of the feed or of a reading', async () => {
    store.start()
    await until(isEqual, { within: 5000 })
    for (const condition of ['1 = 1', 'n = (SELECT max(n) FROM godwit_batch)']) {
      const { gone, heartbeats } = store
      await until(() => store.heartbeats > heartbeats)
      await run(`DELETE FROM godwit_batch WHERE ${condition}`)
      await until(() => store.gone > gone)
    }
  })

  test('names a missing trigger, and reads the table again once it is installed', async () => {
    store.start()
    await until(isEqual, { within: 5000 })
    const { rows } = await sql<{
      name: string
    }>`SELECT name FROM sqlite_master WHERE name LIKE 'godwit%insert'`.execute(db)
    await run(`DROP TRIGGER ${rows[0]?.name}`)
    await run(`INSERT INTO orders (id, owner) VALUES ('1', 'ada')`)
    await until(() => store.errors.length > 0)
    expect(store.errors[0]).toContain('Run `godwit sql install`')
    await feed.install()
    await until(isEqual, { within: 5000 })
  })

  test('removes its tables and triggers, and installs the same again', async () => {
    const { statements } = await feed.install({ dryRun: true })
    expect(statements.filter(text => text.includes('TRIGGER'))).toEqual([])
    await feed.remove()
    const { rows } = await sql`SELECT name FROM sqlite_master WHERE type <> 'index' AND name LIKE 'godwit%'`.execute(db)
    expect(rows).toEqual([{ name: 'godwit_done' }])
    await expect(store.take(1)).rejects.toThrow('godwit sql install')
  })

  test.each([1, 2, 3, 4, 5, 6])('ends with what the table has after the random history %i', async seed => {
    const random = randomOf(seed)
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
    const id = () => Math.floor(random() * 20)
    store.start()
    for (let at = 0; at < 150; at++) {
      const values = `('${id()}', '${pick(OWNERS)}', 'p${at}', '${pick(['a', 'b', 'c', 'd'])}${id()}')`
      await run(
        pick([
          `INSERT OR IGNORE INTO orders (id, owner, product, code) VALUES ${values}`,
          `REPLACE INTO orders (id, owner, product, code) VALUES ${values}`,
          `INSERT INTO orders (id, owner, product, code) VALUES ${values} ON CONFLICT (id) DO UPDATE SET product = 'again' ON CONFLICT DO NOTHING`,
          `UPDATE OR REPLACE orders SET id = '${id()}' WHERE id = '${id()}'`,
          `UPDATE orders SET owner = '${pick(OWNERS)}' WHERE id = '${id()}'`,
          `UPDATE orders SET product = 'q${at}' WHERE id = '${id()}'`,
          `DELETE FROM orders WHERE id = '${id()}'`,
          random() < 0.05 ? 'DELETE FROM orders' : 'SELECT 1',
          random() < 0.1 ? 'DELETE FROM godwit_batch' : 'SELECT 1',
        ]),
      )
      if (random() < 0.02) {
        await store.stop()
        store = store.successor().start()
      }
      if (random() < 0.1) await new Promise(resolve => setTimeout(resolve, 3))
    }
    await until(isEqual, { within: 20_000 })
    expect(store.errors).toEqual([])
  })
})
