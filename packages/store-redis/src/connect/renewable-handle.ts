import type { RedisHandle } from '../redis-handle.js'
import type { RenewableConnection } from './renewable-connection.js'

/** A handle whose connection is replaced when lost. Rejects, and disconnects, if the first connection fails. */
export async function renewableHandle(renewed: RenewableConnection, first: Promise<void>): Promise<RedisHandle> {
  try {
    await first
  } catch (error) {
    renewed.destroy()
    throw error
  }
  return {
    send: (key, command) => renewed.use(handle => handle.send(key, command)),
    sendForBytes: (key, command) => renewed.use(handle => handle.sendForBytes(key, command)),
    sendInRow: (key, commands) => renewed.use(handle => handle.sendInRow(key, commands)),
    primaries: () => renewed.use(handle => handle.primaries()),
    subscribe: (channel, heard, lost) => renewed.subscribe(channel, heard, lost),
    close: () => renewed.close(),
    destroy: () => renewed.destroy(),
  }
}
