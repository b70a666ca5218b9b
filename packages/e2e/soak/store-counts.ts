import Database from 'better-sqlite3'
import { createClient } from 'redis'

/** Rows of each table of an SQLite file. */
export function countRows(file: string): ReadonlyMap<string, number> {
  const database = new Database(file, { readonly: true })
  try {
    const tables = database
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .pluck()
      .all()
    return new Map(
      tables.map(table => [table, database.prepare<[], number>(`SELECT count(*) FROM "${table}"`).pluck().get() ?? 0]),
    )
  } finally {
    database.close()
  }
}

/** Members of each key of a Redis server that does not expire; a text is one. */
export async function countKeys(url: string): Promise<ReadonlyMap<string, number>> {
  const redis = await createClient({ url }).connect()
  try {
    const counts = new Map<string, number>()
    for await (const keys of redis.scanIterator({ COUNT: 1000 })) {
      for (const key of [keys].flat()) {
        if ((await redis.pTTL(key)) !== -1) continue
        const count = { hash: 'HLEN', zset: 'ZCARD', set: 'SCARD', list: 'LLEN', stream: 'XLEN' }[await redis.type(key)]
        counts.set(key, count === undefined ? 1 : Number(await redis.sendCommand([count, key])))
      }
    }
    return counts
  } finally {
    await redis.close()
  }
}
