import { join } from 'node:path'
import { type Jobs, openMemoryJobs, openMemoryStore, type Store, type StoreOptions } from '@godwit/store'
import { connectRedisStore } from '@godwit/store-redis'
import { connectRedisJobs } from '@godwit/store-redis/jobs'
import { openSqliteStore } from '@godwit/store-sqlite'
import { startRedis } from '@godwit/testing'
import Database from 'better-sqlite3'
import { createClient } from 'redis'
import { temporaryFolder } from './temporary-folder.js'

export type StoreName = 'memory' | 'SQLite' | 'Redis'

/** An empty store with its job queue. */
export interface OpenedStore {
  readonly store: Store
  readonly jobs: Jobs
  /** Returns the rows of each SQLite table or the members of each Redis key; empty for a memory store. */
  counts(): Promise<ReadonlyMap<string, number>>
  /** Closes both and removes their files. */
  close(): Promise<void>
}

export async function openStore(name: StoreName, options: Pick<StoreOptions, 'clock'> = {}): Promise<OpenedStore> {
  if (name === 'memory') {
    const [store, jobs] = [openMemoryStore(options), openMemoryJobs(options)]
    return { store, jobs, counts: async () => new Map(), close: closeOf(jobs, store) }
  }
  if (name === 'Redis') {
    const { url, stop } = await startRedis()
    const [store, jobs] = [await connectRedisStore(url, options), await connectRedisJobs(url)]
    return { store, jobs, counts: () => countKeys(url), close: () => closeOf(jobs, store)().finally(stop) }
  }
  const folder = temporaryFolder()
  const file = join(folder.path, 'store.sqlite')
  const store = await openSqliteStore(file, options)
  return {
    store,
    jobs: store.jobs,
    counts: async () => countRows(file),
    close: () => store.close().finally(folder.remove),
  }
}

/** Returns a function that closes them in order. */
const closeOf =
  (...opened: readonly { close(): Promise<void> }[]) =>
  async (): Promise<void> => {
    for (const one of opened) await one.close()
  }

/** Returns the number of rows of each table of an SQLite file. */
function countRows(file: string): ReadonlyMap<string, number> {
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

/** Returns the number of members of each Redis key without an expiry; strings count as one. */
async function countKeys(url: string): Promise<ReadonlyMap<string, number>> {
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
