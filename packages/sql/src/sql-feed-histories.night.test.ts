import { postgresIsThere, type RunningPostgres, until } from '@godwit/testing'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type pg from 'pg'
import { FeedStore, tableRows } from './feed-store.fixture.js'
import { openShopDatabase, type ShopTables, startShopServer } from './postgresql.fixture.js'
import { randomOf } from './random.fixture.js'
import { type SqlFeed, sqlFeed } from './sql-feed.js'
import { sqlSource } from './sql-source.js'

const whenThere = postgresIsThere() ? describe : describe.skip
const OWNERS = ['ada', 'bob', 'eve']
const WRITERS = 4
/** Milliseconds for which writers write. */
const DURATION = 6000
const pause = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds))

whenThere('a feed of PostgreSQL in random histories', () => {
  let postgres: RunningPostgres
  beforeAll(async () => {
    postgres = await startShopServer()
  }, 60_000)
  afterAll(() => postgres?.stop())

  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'ends with what the table has after writers, crashes and killed readers: history %i',
    async seed => {
      const random = randomOf(seed)
      const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
      const shop = await openShopDatabase(postgres.url, `history${seed}`)
      const feed = sqlFeed({ db: shop.db, pollInterval: 20, heartbeat: 200 })
      const source = sqlSource({
        db: feed as SqlFeed<ShopTables>,
        name: 'Order',
        table: 'orders',
        key: 'id',
        columns: ['product', 'amount'],
        owner: 'owner',
      })
      await feed.install()
      const id = () => Math.floor(random() * 300)
      const statement = (at: number) =>
        pick([
          `INSERT INTO orders (id, owner, product) VALUES (${id()}, '${pick(OWNERS)}', 'p${at}') ON CONFLICT (id) DO UPDATE SET product = 'again${at}'`,
          `INSERT INTO orders SELECT i, '${pick(OWNERS)}', 'bulk${at}', i FROM generate_series(${id()}, 320) i ON CONFLICT DO NOTHING`,
          `UPDATE orders SET owner = '${pick(OWNERS)}' WHERE id = ${id()}`,
          `UPDATE orders SET id = ${id()} WHERE id = ${id()}`,
          `UPDATE orders SET product = 'q${at}' WHERE id BETWEEN ${id()} AND ${id()}`,
          `DELETE FROM orders WHERE id = ${id()}`,
          ...(random() < 0.03 ? ['TRUNCATE orders'] : []),
        ])
      /** Transactions of a writer: long or short, durable or not, committed, rolled back or prepared. */
      const write = async (name: number, end: number): Promise<void> => {
        let client: pg.Client | undefined
        for (let at = 0; Date.now() < end; at++) {
          try {
            client ??= await shop.connect()
            await client.query(`BEGIN ISOLATION LEVEL ${pick(['READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE'])}`)
            await client.query(`SET LOCAL synchronous_commit = ${pick(['on', 'off'])}; SET LOCAL lock_timeout = '1s'`)
            for (let count = 1 + Math.floor(random() * 4); count > 0; count--) {
              await client.query(statement(at))
              if (random() < 0.1) await pause(random() * 800)
            }
            const gid = `w${name}x${at}`
            const endings = ['COMMIT', 'COMMIT', 'COMMIT', 'ROLLBACK', `PREPARE TRANSACTION '${gid}'`]
            const ending = pick(endings)
            await client.query(ending)
            if (ending.startsWith('PREPARE')) {
              await pause(random() * 500)
              await client.query(`${pick(['COMMIT', 'ROLLBACK'])} PREPARED '${gid}'`)
            }
          } catch {
            await client?.end().catch(() => {})
            client = undefined
            await pause(20)
          }
        }
        await client?.end().catch(() => {})
      }
      let store = new FeedStore(feed)
      for (const owner of OWNERS) store.open(source, owner)
      store.start()
      const end = Date.now() + DURATION
      const disturb = async (): Promise<void> => {
        while (Date.now() < end) {
          await pause(300 + random() * 900)
          if (random() < 0.3) await postgres.crash()
          else if (random() < 0.5)
            await shop
              .run(
                `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database() AND random() < 0.5`,
              )
              .catch(() => {})
          else store = await replaced(store)
        }
      }
      await Promise.all([disturb(), ...Array.from({ length: WRITERS }, (_, name) => write(name, end))])
      // A writer that ended with its database may have left a prepared transaction.
      for (const { gid } of await shop.run('SELECT gid FROM pg_prepared_xacts WHERE database = current_database()'))
        await shop.run(`ROLLBACK PREPARED '${gid}'`)
      await until(
        async () => {
          for (const owner of OWNERS)
            if (sorted(store.objects(source, owner)) !== sorted(await tableRows(source, store, owner))) return false
          return true
        },
        { within: 20_000, every: 50 },
      )
      expect(store.batches.length).toBeGreaterThan(0)
      await store.stop()
      await shop.close()
    },
  )

  /** Another process takes over from a killed one, with what the store has. */
  const replaced = async (store: FeedStore): Promise<FeedStore> => {
    await store.stop()
    return store.successor().start()
  }
  const sorted = (objects: object) => JSON.stringify(Object.entries(objects).toSorted(([a], [b]) => (a < b ? -1 : 1)))
})
