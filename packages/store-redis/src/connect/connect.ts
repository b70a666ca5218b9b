import { isSyncError, SyncError } from '@godwit/protocol'
import type { RedisAddress } from '../address.js'
import { answerInTime } from '../answer-in-time.js'
import { asStoreError } from '../failure.js'
import type { RedisHandle } from '../redis-handle.js'
import { assertUsable } from './assert-usable.js'
import { connectCluster } from './cluster.js'
import { CONNECT_TIMEOUT } from './node-options.js'
import { connectSentinel } from './sentinel.js'
import { connectSingle } from './single.js'

/** The connect function of each kind of address. */
const CONNECT: Record<RedisAddress['kind'], (address: RedisAddress) => Promise<RedisHandle>> = {
  single: connectSingle,
  sentinel: connectSentinel,
  cluster: connectCluster,
}

/**
 * Connects to Redis 7.0 or newer. Rejects with `store_unavailable` when it cannot be reached, does not respond for seconds, is a read-only replica,
 * may evict keys, is too old or refuses scripts.
 */
export async function connect(address: RedisAddress): Promise<RedisHandle> {
  let handle: RedisHandle | undefined
  try {
    handle = await CONNECT[address.kind](address)
    await answerInTime(assertUsable(handle), CONNECT_TIMEOUT)
    return handle
  } catch (error) {
    handle?.destroy()
    throw cannotConnect(address, error)
  }
}

function cannotConnect({ nodes }: RedisAddress, cause: unknown): unknown {
  if (isSyncError(cause) && cause.code !== 'store_unavailable') return cause
  const reason = (asStoreError(cause) as Error).message
  const where = nodes.map(({ host, port }) => `${host}:${port}`).join(', ')
  return new SyncError('store_unavailable', `Cannot use the Redis at ${where}: ${reason}`, { cause, retryable: false })
}
