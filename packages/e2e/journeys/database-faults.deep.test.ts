import type { Store } from '@godwit/store'
import { postgresIsThere, type RunningPostgres, startPostgres, until } from '@godwit/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { storesOf } from '../harness/stores.js'
import { crashableStore, Lifetime } from '../simulator/world/crashable-store.js'
import { type DatabaseWorld, openDatabaseWorld } from './database-world.js'

const whenThere = postgresIsThere() ? describe : describe.skip
const HOUR = 3_600_000

let postgres: RunningPostgres | undefined
beforeAll(async () => {
  if (postgresIsThere()) postgres = await startPostgres()
}, 60_000)
afterAll(() => postgres?.stop())

/** A store for one process, which is killed before or after its nth step of a feed or of a query once it is armed. */
function mortalStore(store: Store, edge: 'before' | 'after') {
  let left = Number.POSITIVE_INFINITY
  let isDead = false
  const isStep = (name: string): boolean =>
    /^collections\.(advance|replace|requestQuery|open)$|^registry\.(merge|create)$|^leases\.(acquire|release)$/.test(
      name,
    )
  const die = (): never => {
    isDead = true
    throw new Error('the process was killed')
  }
  const strike = (name: string, at: typeof edge): void => {
    if (isDead) die()
    if (at === edge && isStep(name) && left-- <= 0) die()
  }
  const mortal = crashableStore(store, new Lifetime(), {
    before: async name => strike(name, 'before'),
    after: async name => strike(name, 'after'),
  })
  return {
    store: mortal,
    arm: (step: number) => {
      left = step
    },
    get isDead() {
      return isDead
    },
  }
}

describe.each(storesOf('database-faults').map(({ name }) => [name]))('over %s, tables on devices', storeName => {
  let number = 0
  let world: DatabaseWorld
  whenThere('when their database or its servers fail', () => {
    beforeEach(async () => {
      world = await openDatabaseWorld(
        postgres as RunningPostgres,
        storeName,
        `faults_${storeName.toLowerCase()}_${number++}`,
      )
    })
    afterEach(() => world.close())

    test('are what the database has after connections ended, after a restart, and after a crash', async () => {
      const server = await world.start()
      await world.run(
        `INSERT INTO orders (id, owner, product, amount) SELECT n, 'ada', 'tea', n FROM generate_series(1, 50) n`,
      )
      await world.converges(server)
      for (const fault of [
        () => world.run('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()'),
        () => postgres?.restart(),
        () => postgres?.crash(),
      ]) {
        await fault()
        await world.run(`UPDATE orders SET amount = amount + 1 WHERE id <= 10; DELETE FROM orders WHERE id = (SELECT max(id) FROM orders);
          INSERT INTO orders (id, owner, product) SELECT max(id) + 1000, 'bob', 'new' FROM orders`)
        await world.converges(server)
      }
    })

    test('keep what they had while a delivered column or the table is gone, and follow once it is back', async () => {
      const server = await world.start()
      await world.run(
        `INSERT INTO orders (id, owner, product, amount) VALUES (1, 'ada', 'tea', 1), (2, 'bob', 'oil', 2)`,
      )
      await world.converges(server)
      await world.run(
        `ALTER TABLE orders ADD COLUMN note TEXT DEFAULT 'none'; UPDATE orders SET product = 'rye' WHERE id = 1`,
      )
      await world.converges(server)
      await world.run('ALTER TABLE orders ALTER COLUMN amount TYPE INT USING amount + 1')
      await world.converges(server)
      for (const [gone, back, named] of [
        ['RENAME COLUMN product TO item', 'RENAME COLUMN item TO product', 'product'],
        ['DROP COLUMN product', `ADD COLUMN product TEXT DEFAULT 'again'`, 'product'],
        ['RENAME TO former', 'former RENAME TO orders', 'orders'],
      ] as const) {
        const before = await world.rowsOf('ada')
        server.errors.length = 0
        await world.run(`ALTER TABLE orders ${gone}`)
        // A feed reads a row only if it changes.
        if (named === 'product') await world.run('UPDATE orders SET amount = amount + 1')
        await until(() => server.errors.some(error => error.includes(named)), { every: 20, within: 20_000 })
        await world.pull(server)
        expect(await world.rowsOf('ada')).toEqual(before)
        await world.run(back.startsWith('former') ? `ALTER TABLE ${back}` : `ALTER TABLE orders ${back}`)
        await server.feed.install()
        await world.run(
          `INSERT INTO orders (id, owner, product) SELECT max(id) + 1, 'ada', 'after ${named}' FROM orders`,
        )
        await world.converges(server)
      }
    })

    test('follow with two servers whose clocks are wrong by an hour, and undo no write of a device', async () => {
      const ahead = await world.start({ clock: () => Date.now() + HOUR })
      const behind = await world.start({ clock: () => Date.now() - HOUR })
      await world.pull(ahead)
      const collection = { source: 'Order', partition: 'user:ada' }
      for (let id = 1; id <= 20; id++) {
        await world.run(`INSERT INTO orders (id, owner, product, amount) VALUES (${id}, 'ada', 'tea', 1)`)
        // As a device does: the database first, then the store.
        await world.run(`UPDATE orders SET product = 'written by a device' WHERE id = ${id}`)
        await world.store.collections.apply(collection, {
          replace: { [id]: { product: 'written by a device', amount: 1 } },
        })
        if (id === 10) await ahead.close()
      }
      await world.converges(behind)
    })

    test('wait for no open transaction, and get one of 210,000 rows whole', async () => {
      const server = await world.start()
      const second = await world.start()
      await world.run(`INSERT INTO orders (id, owner, product) VALUES (1, 'ada', 'tea'), (2, 'bob', 'oil')`)
      await world.converges(server)
      const open = await world.connect()
      await open.query('BEGIN')
      await open.query(`UPDATE orders SET product = 'late' WHERE id = 1`)
      await world.run(`UPDATE orders SET product = 'early' WHERE id = 2`)
      await until(async () => (await world.rowsOf('bob'))['2']?.product === 'early', { every: 20, within: 20_000 })
      expect((await world.rowsOf('ada'))['1']?.product).toBe('tea')
      await world.run(`INSERT INTO orders (id, owner, product, amount)
        SELECT n + 100, CASE WHEN n % 21 = 0 THEN 'ada' ELSE 'nobody here' END, 'many', n FROM generate_series(1, 210000) n`)
      const collection = { source: 'Order', partition: 'user:ada' }
      const count = async () => (await world.store.collections.head(collection))?.count
      await until(async () => (await count()) === 10_001, { every: 500, within: 200_000 })
      await open.query('COMMIT')
      await open.end()
      await world.converges(second)
      expect((await world.rowsOf('ada'))['1']?.product).toBe('late')
    }, 300_000)

    test.each(['before', 'after'] as const)(
      'are the same wherever a process is killed: %s each of its steps',
      async edge => {
        let steps = 0
        for (let isKilled = true; isKilled; steps++) {
          const mortal = mortalStore(world.store, edge)
          const first = await world.start({ store: mortal.store })
          await world.run(
            `DELETE FROM orders; INSERT INTO orders (id, owner, product) VALUES (${steps}, 'ada', 'tea'), (${steps + 1000}, 'bob', 'oil')`,
          )
          await world.converges(first)
          mortal.arm(steps)
          await world.run(`UPDATE orders SET owner = 'bob' WHERE id = ${steps}; UPDATE orders SET product = 'rye' WHERE id = ${steps + 1000};
          INSERT INTO orders (id, owner, product) VALUES (${steps + 2000}, 'ada', 'new')`)
          const isApplied = async () => (await world.rowsOf('ada'))[steps + 2000] !== undefined
          await until(async () => mortal.isDead || (await isApplied()), { every: 5, within: 20_000 })
          // The step that stores the cursor follows the rows.
          if (!mortal.isDead) await until(() => mortal.isDead, { every: 5, within: 300 }).catch(() => {})
          isKilled = mortal.isDead
          const next = await world.start()
          await world.converges(next)
          await next.close()
          await first.close().catch(() => {})
        }
        expect(steps).toBeGreaterThan(3)
      },
      120_000,
    )
  })
})
