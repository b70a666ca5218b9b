import Database from 'better-sqlite3'
import { Kysely, SqliteDialect, sql } from 'kysely'

export interface ShopTables {
  readonly orders: {
    readonly id: string
    readonly owner: string | null
    readonly product: string | null
    readonly amount: number | null
    readonly code: string | null
    readonly deleted_at: string | null
    readonly version: number
  }
}

/** An empty database in memory with the table `orders`. */
export async function openShop(): Promise<Kysely<ShopTables>> {
  const db = new Kysely<ShopTables>({ dialect: new SqliteDialect({ database: new Database(':memory:') }) })
  await sql`CREATE TABLE orders (id TEXT PRIMARY KEY, owner TEXT, product TEXT, amount INTEGER CHECK (amount > 0), code TEXT UNIQUE, deleted_at TEXT,
    version INTEGER NOT NULL DEFAULT 1)`.execute(db)
  return db
}
