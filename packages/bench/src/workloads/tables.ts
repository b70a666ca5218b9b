import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { defineModel, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'
import { sqlFeed, sqlSource } from '@godwit/sql'
import { postgresIsThere, startPostgres } from '@godwit/testing'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { figure, seconds, share } from '../measure.js'
import { residentBytes, type StartedSystem, startProgram } from '../systems/system.js'
import type { Workload } from './workload.js'

/** Rows of each user. */
const PARTITION = 10_000
/** Changes a second, spread over the rows of one user, and for how many seconds. */
const RATE = 100
const SECONDS = 20
const MIB = 2 ** 20

interface Tables {
  readonly task: { readonly id: string; readonly owner: string; readonly title: string; readonly changed_at: number }
}

/** How the server learns of changes. */
interface Way {
  readonly name: string
  readonly environment: Record<string, string>
}

const WAYS: readonly Way[] = postgresIsThere()
  ? [
      { name: 'feed', environment: {} },
      { name: 'query every second', environment: { BENCH_POLL: '1' } },
    ]
  : []

const Task = defineModel('Task', {
  sync: 'incremental',
  attributes: { title: t.string(), changed_at: t.float() },
})

/** A large table of PostgreSQL on devices: the first sync of one partition, and changes on their way to a device that listens. */
export const tables: Workload<Way> = {
  name: 't. tables',
  systems: WAYS,
  async run({ environment }, { large, runs }) {
    const postgres = await startPostgres()
    const pool = new pg.Pool({ connectionString: postgres.url, max: 4 })
    const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
    let server: StartedSystem | undefined
    try {
      await fill(db, large)
      server = await startProgram(program('../../../apps/server/dist/godwit.js'), ['start'], {
        ...environment,
        NODE_ENV: 'production',
        PORT: '0',
        DATABASE_URL: postgres.url,
        SYNC_STORE: 'memory:',
        SYNC_CONFIG: program('../tables-config.mjs'),
        SYNC_ADMIN_PASSWORD: 'a password of the bench',
        SYNC_LOG_LEVEL: 'error',
      })
      const { url, pid } = server
      const firsts: number[] = []
      for (let user = 1; user <= runs; user++) firsts.push(await withDevice(url, `user ${user}`, ({ took }) => took))
      const before = residentBytes(pid)
      const { times, peak } = await withDevice(url, 'user 0', device =>
        follow(db, device.sdk, () => residentBytes(pid)),
      )
      return [
        {
          measure: `first ${PARTITION.toLocaleString('en-US')} of ${large.toLocaleString('en-US')} rows, s`,
          ...figure(firsts),
        },
        share(`commit to device at ${RATE}/s, p50, ms`, times, 0.5),
        share(`commit to device at ${RATE}/s, p99, ms`, times, 0.99),
        { measure: 'server memory more than before, MiB', ...figure([(peak - before) / MIB]) },
      ]
    } finally {
      await server?.stop()
      await db.destroy()
      await postgres.stop()
    }
  },
}

const program = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

async function fill(db: Kysely<Tables>, rows: number): Promise<void> {
  await sql`CREATE TABLE task (id BIGINT PRIMARY KEY, owner TEXT NOT NULL, title TEXT NOT NULL, changed_at FLOAT8 NOT NULL)`.execute(
    db,
  )
  await sql`INSERT INTO task SELECT n, 'user ' || n / ${PARTITION}, 'task ' || n || repeat(' of the list', 12), 0 FROM generate_series(0, ${rows - 1}) n`.execute(
    db,
  )
  await sql`CREATE INDEX ON task (owner, id)`.execute(db)
  await sql`ANALYZE task`.execute(db)
  const feed = sqlFeed({ db })
  sqlSource({ db: feed, name: 'Task', table: 'task', key: 'id', columns: ['title', 'changed_at'], owner: 'owner' })
  await feed.install()
}

const open = (directory: string, server: string) => openSdk({ directory, server, models: { Task } })
type Device = Awaited<ReturnType<typeof open>>

/** Opens a device of a user, syncs it, and calls `use` with it and the seconds that this took. */
async function withDevice<T>(
  url: string,
  user: string,
  use: (device: { readonly sdk: Device; readonly took: number }) => T | Promise<T>,
): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), 'godwit-bench-device-'))
  const sdk = await open(directory, url)
  try {
    await sdk.login(user, user)
    const took = await seconds(() => sdk.sync())
    const count = sdk.models.Task.count()
    if (count !== PARTITION) throw new Error(`${count} rows of ${PARTITION}`)
    return await use({ sdk, took })
  } finally {
    await sdk.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Changes rows at a rate, and returns the milliseconds from each commit until the row was on the device. */
async function follow(db: Kysely<Tables>, sdk: Device, resident: () => number) {
  const committed = new Map<number, number>()
  const times: number[] = []
  let [seen, peak] = [0, 0]
  const stop = sdk.models.Task.observe(
    { conditions: { changed_at: { '>': 0 } }, order: { changed_at: 'desc' }, limit: 1 },
    () => {
      const now = Date.now()
      const rows = sdk.sql.all('SELECT changed_at FROM Task WHERE changed_at > ?', [seen]) as { changed_at: number }[]
      for (const { changed_at } of rows) {
        seen = Math.max(seen, changed_at)
        times.push(now - (committed.get(changed_at) ?? now))
        committed.delete(changed_at)
      }
    },
  )
  const begun = Date.now()
  for (let change = 1; change <= RATE * SECONDS; change++) {
    const wait = begun + (change * 1000) / RATE - Date.now()
    if (wait > 0) await sleep(wait)
    await sql`UPDATE task SET changed_at = ${change} WHERE id = ${change % PARTITION}`.execute(db)
    committed.set(change, Date.now())
    if (change % RATE === 0) peak = Math.max(peak, resident())
  }
  for (let left = 100; committed.size > 0 && left > 0; left--) await sleep(100)
  stop()
  if (committed.size > 0) throw new Error(`${committed.size} of ${RATE * SECONDS} changes did not come`)
  return { times, peak }
}
