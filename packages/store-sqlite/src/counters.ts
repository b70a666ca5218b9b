import { type MemoryCounters, memoryCounters } from '@godwit/store'
import type { Database } from './database.js'

/** Counters in the memory of this process: a file has one server, and counters need not survive it. */
export function sqliteCounters(database: Database): MemoryCounters {
  const counters = memoryCounters(() => database.now())
  return {
    ...counters,
    add: async (name, milliseconds) => {
      database.assertOpen()
      return counters.add(name, milliseconds)
    },
    get: async names => {
      database.assertOpen()
      return counters.get(names)
    },
  }
}
