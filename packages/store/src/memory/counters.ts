import type { Counters } from '../counters.js'

/** The maximum number of counters; the least recently used are dropped. */
export const MAX_COUNTERS = 50_000

/** Counters in memory, with a method to remove all. */
export interface MemoryCounters extends Counters {
  clear(): void
}

interface CounterEntry {
  readonly count: number
  readonly at: number
  readonly until: number
}

/** Counters of one process. */
export function memoryCounters(clock: () => number): MemoryCounters {
  const counters = new Map<string, CounterEntry>()
  const find = (name: string): CounterEntry | undefined => {
    const counter = counters.get(name.toWellFormed())
    return counter && counter.at <= clock() && clock() < counter.until ? counter : undefined
  }
  return {
    add: async (name, milliseconds) => {
      const count = (find(name)?.count ?? 0) + 1
      counters.delete(name.toWellFormed())
      counters.set(name.toWellFormed(), { count, at: clock(), until: clock() + milliseconds })
      for (const oldest of counters.keys()) {
        if (counters.size <= MAX_COUNTERS) break
        counters.delete(oldest)
      }
      return count
    },
    get: async names =>
      names.map(name => {
        const counter = find(name)
        return counter && { count: counter.count, age: clock() - counter.at }
      }),
    remove: async name => void counters.delete(name.toWellFormed()),
    clear: () => counters.clear(),
  }
}
