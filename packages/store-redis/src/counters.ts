import type { Counters } from '@godwit/store'
import type { RedisConnection } from './connection.js'
import { addCountScript, readCountScript } from './scripts/counters.js'

/** Counters in Redis: each is a key that expires by Redis' clock. */
export function redisCounters(connection: RedisConnection): Counters {
  const read = async (name: string) => {
    const key = connection.keys.counter(name)
    const [count, age] = (await connection.run(readCountScript, () => key, [])) as readonly [number, number]
    return count === 0 ? undefined : { count, age }
  }
  return {
    add: async (name, milliseconds) => {
      const key = connection.keys.counter(name)
      return Number(await connection.run(addCountScript, () => key, [milliseconds]))
    },
    get: names => Promise.all(names.map(read)),
    remove: async name => void (await connection.command(connection.keys.counter(name), 'UNLINK')),
  }
}
