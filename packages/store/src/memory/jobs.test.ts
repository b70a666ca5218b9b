import { SyncError } from '@godwit/protocol'
import { describe, expect, test } from '@jest/globals'
import { describeJobs } from '../conformance/jobs.js'
import { embeddedJobs } from '../jobs/embedded-jobs.js'
import type { JobTable } from '../jobs/job-table.js'
import { memoryJobTable } from './jobs.js'

describeJobs({
  describe,
  test,
  expect,
  open() {
    const table = memoryJobTable(Date.now)
    const first = mortal(table)
    return { jobs: embeddedJobs(first.table), crash: first.kill, beside: async () => embeddedJobs(table) }
  },
})

/** A table that one engine can lose, while others keep it. */
function mortal(table: JobTable): { table: JobTable; kill: () => Promise<void> } {
  let isLost = false
  const or = <Given, Result>(call: (given: Given) => Promise<Result>) => {
    return async (given: Given) => {
      if (isLost) throw new SyncError('store_unavailable', 'This process is dead.')
      return call(given)
    }
  }
  const { read, write, writeEarly } = table
  return {
    table: {
      ...table,
      read: or(read) as JobTable['read'],
      write: or(write) as JobTable['write'],
      writeEarly: or(writeEarly) as JobTable['writeEarly'],
    },
    kill: async () => {
      isLost = true
    },
  }
}
