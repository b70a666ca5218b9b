import type { Leases } from '@godwit/store'
import type { RedisConnection } from './connection.js'
import { acquireScript, renewScript } from './scripts/lease.js'

/** Leases in Redis, timed by Redis' clock for all processes. */
export function redisLeases(connection: RedisConnection): Leases {
  return {
    acquire: async (name, { holder, milliseconds }) => {
      const key = connection.keys.leases(name)
      const fence = await connection.run(acquireScript, () => key, [name.kind, holder, milliseconds])
      return fence === null ? undefined : { name, holder, fence: Number(fence) }
    },
    renew: async ({ name, holder, fence }, milliseconds) => {
      const key = connection.keys.leases(name)
      return (await connection.run(renewScript, () => key, [name.kind, holder, fence, milliseconds])) === 1
    },
    release: async ({ name, holder, fence }) => {
      const key = connection.keys.leases(name)
      await connection.run(renewScript, () => key, [name.kind, holder, fence])
    },
  }
}
