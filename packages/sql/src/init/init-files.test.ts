import { afterAll, expect, test } from '@jest/globals'
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { initFiles, modelName } from './init-files.js'

const db = new Kysely<object>({ dialect: new SqliteDialect({ database: new Database(':memory:') }) })
afterAll(() => db.destroy())

test('a configuration and models are written from the tables of a database', async () => {
  await sql`CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT NOT NULL, price REAL)`.execute(db)
  await sql`CREATE TABLE orders (id TEXT PRIMARY KEY, owner TEXT NOT NULL, product_id INTEGER NOT NULL REFERENCES products, note TEXT, deleted_at TEXT)`.execute(
    db,
  )
  await sql`CREATE TABLE pairs (a TEXT, b TEXT, PRIMARY KEY (a, b))`.execute(db)
  const { config, models, notes } = await initFiles(db)
  expect(config).toContain(`      sqlSource({
        db,
        name: 'Order',
        table: 'orders',
        key: 'id',
        columns: ['product_id', 'note'],
        owner: 'owner',
        softDelete: 'deleted_at',
        belongsTo: { product_id: 'Product' },
      }),`)
  expect(models).toContain(`export const Order = defineModel('Order', {
  sync: 'incremental',
  attributes: {
    product_id: t.belongsTo('Product'),
    note: t.string().optional(),
  },
})`)
  expect(models).toContain(`    name: t.string(),
    price: t.float().optional(),`)
  expect(notes).toEqual([
    'products: all users get all rows. Set `owner` if they should not.',
    'pairs is left out: a source needs a primary key of one column.',
  ])
})

test('models have the name of one row', () => {
  expect(['order_lines', 'cities', 'boxes', 'status', 'address', 'Visit'].map(modelName)).toEqual([
    'OrderLine',
    'City',
    'Box',
    'Status',
    'Address',
    'Visit',
  ])
})
