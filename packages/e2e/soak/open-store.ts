import { join } from 'node:path'
import { openMemoryStore, type Store, type StoreOptions } from '@godwit/store'
import { connectRedisStore } from '@godwit/store-redis'
import { openSqliteStore } from '@godwit/store-sqlite'
import { startRedis } from '@godwit/testing'
import { temporaryFolder } from './temporary-folder.js'

export type StoreName = 'memory' | 'SQLite' | 'Redis'

/** An empty store, and what ends it and removes what it left. */
export async function openStore(
  name: StoreName,
  options: Pick<StoreOptions, 'clock'> = {},
): Promise<{ readonly store: Store; close(): Promise<void> }> {
  if (name === 'memory') {
    const store = openMemoryStore(options)
    return { store, close: () => store.close() }
  }
  if (name === 'Redis') {
    const { url, stop } = await startRedis()
    const store = await connectRedisStore(url, options)
    return { store, close: () => store.close().finally(stop) }
  }
  const folder = temporaryFolder()
  const store = await openSqliteStore(join(folder.path, 'store.sqlite'), options)
  return { store, close: () => store.close().finally(folder.remove) }
}
