import type { Jobs } from '@godwit/store'
import { readAddress } from '../address.js'
import { connect } from '../connect/connect.js'
import type { RedisStoreOptions } from '../connection.js'
import { redisJobs } from './redis-jobs.js'

/** Jobs beside the store of the same address. Rejects as `connectRedisStore` does. */
export function connectRedisJobs(address: string, options: RedisStoreOptions = {}): Promise<Jobs> {
  const read = readAddress(address)
  return redisJobs(() => connect(read), { ...(read.prefix !== undefined && { prefix: read.prefix }), ...options })
}
