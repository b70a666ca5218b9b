import { cpus } from 'node:os'
import type { Stage } from './stage.js'
import { cpuSeconds, sum } from './tally.js'

/** Processor time so far, in seconds. */
export interface Cpu {
  readonly servers: readonly number[]
  readonly redis: number
  readonly load: number
  /** Elapsed time. */
  readonly at: number
}

export async function cpuOf({ servers, redis }: Stage): Promise<Cpu> {
  const requested = await Promise.all(servers.map(server => server.ask('cpu') as Promise<NodeJS.CpuUsage>))
  return {
    servers: requested.map(cpuSeconds),
    redis: redis ? (await redis.read()).cpu : 0,
    load: cpuSeconds(process.cpuUsage()),
    at: performance.now() / 1000,
  }
}

/** Memory of all server processes after a full garbage collection, and the size of the store, in bytes. */
export interface Memory {
  readonly resident: number
  /** Used memory: V8's heap and external memory. */
  readonly live: number
  readonly store: number
}

export async function memoryOf({ servers, storeBytes }: Stage): Promise<Memory> {
  const requested = await Promise.all(servers.map(server => server.ask('memory') as Promise<NodeJS.MemoryUsage>))
  return {
    resident: sum(requested.map(({ rss }) => rss)),
    live: sum(requested.map(({ heapUsed, external }) => heapUsed + external)),
    store: await storeBytes(),
  }
}

/** Shares of the machine's processors, 0 to 1. */
export const shareOf = (seconds: number, wall: number): number => seconds / (wall * cpus().length)
