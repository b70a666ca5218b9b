import type { Store } from '@godwit/store'
import { readAddress } from './address.js'
import { connect } from './connect/connect.js'
import type { RedisStoreOptions } from './connection.js'
import { redisStore } from './redis-store.js'

/**
 * Opens a store on Redis 7.0 or newer. Rejects with `store_unavailable` when the server cannot be reached, is a read-only replica, may evict keys, is
 * too old or refuses scripts; with `value_not_allowed` for an invalid address or key prefix.
 */
export async function connectRedisStore(address: string, options: RedisStoreOptions = {}): Promise<Store> {
  const read = readAddress(address)
  const handle = await connect(read)
  try {
    return redisStore(handle, { ...(read.prefix !== undefined && { prefix: read.prefix }), ...options })
  } catch (error) {
    await handle.close()
    throw error
  }
}
