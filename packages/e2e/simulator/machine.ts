import { type Keeper, type KeeperOptions, memoryKeeper, sqliteKeeper } from './keeper.js'
import type { Plan } from './plan.js'
import { VirtualTime } from './virtual-time.js'

/** What worlds run on, one after another. */
export interface Machine {
  readonly time: VirtualTime
  readonly keepers: { readonly [Store in Plan['store']]: (options: KeeperOptions) => Keeper }
  stop(): Promise<void>
}

/** From here on, time stands still in this process. `redis`: stores may be in a real one, which lives in real time and is opened before. */
export async function startMachine({ redis = false } = {}): Promise<Machine> {
  const opened = redis ? await (await import('./redis/open-redis.js')).openRedis() : undefined
  const time = new VirtualTime()
  time.install()
  const noRedis = (): never => {
    throw new Error('This machine was started without Redis.')
  }
  return {
    time,
    keepers: { memory: memoryKeeper, sqlite: sqliteKeeper, redis: opened?.keeper ?? noRedis },
    stop: async () => opened?.stop(),
  }
}
