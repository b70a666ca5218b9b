import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeJobs } from '@godwit/store/conformance'
import { describe, expect, test } from '@jest/globals'
import BetterSqlite3 from 'better-sqlite3'
import { Database } from './database.js'
import { sqliteJobs } from './jobs.js'
import { migrate } from './migrate.js'
import { openSqliteStore } from './open-sqlite-store.js'

const runner = { describe, test, expect }

describe('in memory', () => {
  describeJobs({
    ...runner,
    async open() {
      const store = await openSqliteStore(':memory:')
      return { jobs: store.jobs, discard: () => store.close() }
    },
  })
})

describe('on a file', () => {
  describeJobs({
    ...runner,
    durable: true,
    async open() {
      const folder = mkdtempSync(join(tmpdir(), 'godwit-jobs-'))
      const path = join(folder, 'store.sqlite')
      const writer = new BetterSqlite3(path)
      writer.pragma('journal_mode = WAL')
      migrate(writer, path)
      const reader = new BetterSqlite3(path)
      const database = new Database({ writer, reader, scratch: () => new BetterSqlite3('') })
      const opened: { close(): Promise<void> }[] = []
      const jobs = sqliteJobs(database)
      /** Closes the connections, which discards uncommitted writes. */
      const crash = async () => {
        reader.close()
        writer.close()
      }
      return {
        jobs,
        crash,
        beside: async () => sqliteJobs(database),
        async reopen() {
          if (writer.open) database.close()
          const store = await openSqliteStore(path)
          opened.push(store)
          return store.jobs
        },
        async discard() {
          if (writer.open) database.close()
          for (const store of opened) await store.close()
          rmSync(folder, { recursive: true })
        },
      }
    },
  })
})

test('jobs of a clock that was ahead are due once the clock is set back', async () => {
  const clock = { now: 1_700_000_000_000 }
  const { jobs, close } = await openSqliteStore(':memory:', { clock: () => clock.now })
  await jobs.enqueue({ queue: 'mail', id: 'later', kind: 'send', data: null, delay: 60_000 })
  clock.now -= 86_400_000
  const ran = Promise.withResolvers<string>()
  const worker = await jobs.work(async ({ id }) => ran.resolve(id))
  expect(await ran.promise).toBe('later')
  await worker.close()
  await close()
})
