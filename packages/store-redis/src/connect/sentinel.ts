import { SyncError } from '@godwit/protocol'
import type { RedisAddress } from '../address.js'
import { answerInTime } from '../answer-in-time.js'
import type { RedisHandle } from '../redis-handle.js'
import { CONNECT_TIMEOUT, WELCOME } from './node-options.js'
import { type OpenContext, RenewableConnection } from './renewable-connection.js'
import { renewableHandle } from './renewable-handle.js'
import { type SentinelNode, Sentinels } from './sentinels.js'
import { openSingle } from './single.js'

/** Connects to the primary that the sentinels name, and follows them to its successor. */
export async function connectSentinel(address: RedisAddress): Promise<RedisHandle> {
  const sentinels = new Sentinels(address, () => renewed.renew())
  let present: SentinelNode | undefined
  const open = async (opening: OpenContext): Promise<RedisHandle> => {
    const node = await sentinels.primary()
    if (opening.present && node.host === present?.host && node.port === present.port) return opening.present
    opening.letGo()
    const handle = await openPrimary({ ...address, nodes: [node] }, opening)
    present = node
    return handle
  }
  const renewed = new RenewableConnection(open, { hasOthers: false, over: () => sentinels.destroy() })
  const atMost = 2 * CONNECT_TIMEOUT + address.nodes.length * WELCOME
  return renewableHandle(renewed, answerInTime(renewed.first(CONNECT_TIMEOUT), atMost))
}

async function openPrimary(address: RedisAddress, opening: OpenContext): Promise<RedisHandle> {
  const handle = await openSingle(address, opening.broke)
  try {
    await answerInTime(assertPrimary(handle), CONNECT_TIMEOUT)
    return handle
  } catch (error) {
    handle.destroy()
    throw error
  }
}

/** Sentinels still name a failed primary until they agree that it is down, and name its successor before it was promoted. */
async function assertPrimary(handle: RedisHandle): Promise<void> {
  const [role] = (await handle.send('', ['ROLE'])) as readonly string[]
  if (role !== 'master')
    throw new SyncError('store_unavailable', 'expected a primary where the sentinels say, got a replica. Try again.')
}
