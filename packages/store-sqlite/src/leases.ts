import { CLOCK_SLACK, type Lease, type LeaseName, type Leases } from '@godwit/store'
import type { SqliteConnection } from './connection.js'
import type { Database } from './database.js'

interface LeaseRow {
  readonly holder: string
  readonly fence: number
}

export const SELECT_LEASE = 'SELECT holder, fence FROM lease WHERE name = ? AND until > ? AND since <= ?'
const GRANT = 'INSERT OR REPLACE INTO lease (name, holder, fence, until, since) VALUES (?, ?, ?, ?, ?)'
const RENEW =
  'UPDATE lease SET until = ?, since = ? WHERE name = ? AND holder = ? AND fence = ? AND until > ? AND since <= ?'
const RELEASE = 'DELETE FROM lease WHERE name = ? AND fence = ?'

/** Leases in SQLite. They do not wait for the disk: a crash that loses a lease also ends its holder. */
export function sqliteLeases(database: Database): Leases {
  return {
    acquire: (name, { holder, milliseconds }) =>
      database.writeEarly(connection => {
        const present = findLease(database, connection, name)
        if (present && present.holder !== holder) return undefined
        const fence = database.nextFence()
        const now = database.now()
        connection.statement(GRANT).run(keyOf(name), holder, fence, now + milliseconds, now)
        return { name, holder, fence }
      }),
    renew: (lease, milliseconds) => database.writeEarly(connection => renew(database, connection, lease, milliseconds)),
    release: async ({ name, fence }) => {
      await database.writeEarly(connection => connection.statement(RELEASE).run(keyOf(name), fence))
    },
  }
}

function renew(database: Database, connection: SqliteConnection, { name, holder, fence }: Lease, milliseconds: number) {
  const now = database.now()
  return (
    connection.statement(RENEW).run(now + milliseconds, now, keyOf(name), holder, fence, now, now + CLOCK_SLACK)
      .changes > 0
  )
}

/** True if the lease is held, under this fence if given. */
export function isLeased(database: Database, connection: SqliteConnection, name: LeaseName, fence?: number): boolean {
  const present = findLease(database, connection, name)
  return present !== undefined && (fence === undefined || present.fence === fence)
}

function findLease(database: Database, connection: SqliteConnection, name: LeaseName): LeaseRow | undefined {
  const now = database.now()
  return connection.statement<LeaseRow>(SELECT_LEASE).get(keyOf(name), now, now + CLOCK_SLACK)
}

/** JSON keeps names unambiguous, since they are untrusted text. */
function keyOf(name: LeaseName): string {
  if (name.kind === 'server') return JSON.stringify([name.kind, name.name.toWellFormed()])
  const { source, partition } = name.collection
  return JSON.stringify([name.kind, source.toWellFormed(), partition.toWellFormed()])
}
