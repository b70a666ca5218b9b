import type { RedisAddress } from '../address.js'
import { inTime } from '../in-time.js'
import type { Primary, RedisHandle } from '../redis-handle.js'
import { FollowedPrimary } from './followed-primary.js'
import { CONNECT_TIMEOUT, WELCOME } from './node-options.js'

/** The primary that sentinels name, whichever it is. */
export async function connectSentinel(address: RedisAddress): Promise<RedisHandle> {
  const followed = new FollowedPrimary(address)
  try {
    await inTime(followed.first(), 2 * CONNECT_TIMEOUT + address.nodes.length * WELCOME)
  } catch (error) {
    followed.destroy()
    throw error
  }
  const send: RedisHandle['send'] = (key, command) => followed.use(handle => handle.send(key, command))
  const primary: Primary = command => send('', command)
  return {
    send,
    sendForBytes: (key, command) => followed.use(handle => handle.sendForBytes(key, command)),
    sendInRow: (key, commands) => followed.use(handle => handle.sendInRow(key, commands)),
    primaries: async () => [primary],
    subscribe: (channel, heard, lost) => followed.subscribe(channel, heard, lost),
    close: () => followed.close(),
    destroy: () => followed.destroy(),
  }
}
