import type { Lease, LeaseName, Leases } from '@godwit/store'
import type { Connection } from './connection.js'
import type { Database } from './database.js'

interface Grant {
  readonly holder: string
  readonly fence: number
}

export const SELECT_HELD = 'SELECT holder, fence FROM lease WHERE name = ? AND until > ?'
const GRANT = 'INSERT OR REPLACE INTO lease (name, holder, fence, until) VALUES (?, ?, ?, ?)'
const RENEW = 'UPDATE lease SET until = ? WHERE name = ? AND holder = ? AND fence = ? AND until > ?'
const RELEASE = 'DELETE FROM lease WHERE name = ? AND fence = ?'

/** Leases in SQLite. They do not wait for the disk: a crash that loses a lease ends its holder too. */
export function sqliteLeases(database: Database): Leases {
  return {
    acquire: (name, { holder, milliseconds }) =>
      database.writeEarly(connection => {
        const held = heldBy(database, connection, name)
        if (held && held.holder !== holder) return undefined
        const fence = database.nextFence()
        connection.statement(GRANT).run(keyOf(name), holder, fence, database.now() + milliseconds)
        return { name, holder, fence }
      }),
    renew: (lease, milliseconds) => database.writeEarly(connection => renew(database, connection, lease, milliseconds)),
    release: async ({ name, fence }) => {
      await database.writeEarly(connection => connection.statement(RELEASE).run(keyOf(name), fence))
    },
  }
}

function renew(database: Database, connection: Connection, { name, holder, fence }: Lease, milliseconds: number) {
  const now = database.now()
  return connection.statement(RENEW).run(now + milliseconds, keyOf(name), holder, fence, now).changes > 0
}

/** Whether somebody holds it: under this fence, if one is given. */
export function isLeased(database: Database, connection: Connection, name: LeaseName, fence?: number): boolean {
  const held = heldBy(database, connection, name)
  return held !== undefined && (fence === undefined || held.fence === fence)
}

function heldBy(database: Database, connection: Connection, name: LeaseName): Grant | undefined {
  return connection.statement<Grant>(SELECT_HELD).get(keyOf(name), database.now())
}

/** Names are hostile text: JSON keeps them apart whatever they contain. */
function keyOf(name: LeaseName): string {
  if (name.kind === 'server') return JSON.stringify([name.kind, name.name.toWellFormed()])
  const { source, partition } = name.collection
  return JSON.stringify([name.kind, source.toWellFormed(), partition.toWellFormed()])
}
