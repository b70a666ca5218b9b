import { Counts } from './counts.js'
import type { Plan } from './plan.js'
import { memoryStoreDisk, type StoreDisk, type StoreDiskOptions, sqliteStoreDisk } from './store-disk.js'
import { VirtualTime } from './virtual-time.js'

/** The platform on which worlds run, one after another. */
export interface Machine {
  readonly time: VirtualTime
  readonly counts: Counts
  readonly storeDisks: { readonly [Store in Plan['store']]: (options: StoreDiskOptions) => StoreDisk }
  stop(): Promise<void>
}

/** Installs virtual time in this process. `redis`: also opens a real Redis before, since Redis runs in real time. */
export async function startMachine({ redis = false } = {}): Promise<Machine> {
  const opened = redis ? await (await import('./redis/open-redis.js')).openRedis() : undefined
  const time = new VirtualTime()
  time.install()
  const noRedis = (): never => {
    throw new Error('This machine was started without Redis.')
  }
  return {
    time,
    counts: new Counts(),
    storeDisks: { memory: memoryStoreDisk, sqlite: sqliteStoreDisk, redis: opened?.storeDisk ?? noRedis },
    stop: async () => opened?.stop(),
  }
}
