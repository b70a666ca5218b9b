import { SyncError } from '@godwit/protocol'
import { quote } from '../columns/table-shape.js'
import type { DeviceDatabase } from './database.js'
import { SCHEMAS, type SchemaName } from './files.js'

/**
 * The layout version of a file (`TableShape`, `makeSystemTables`), stored as its `user_version`. A release that changes the layout converts older
 * files here.
 */
export const LAYOUT = 2

/**
 * Marks new files with the current layout before their tables are created. Throws `database_failed` for any other layout and does not change the
 * files.
 */
export function checkLayout(database: DeviceDatabase): void {
  const others = SCHEMAS.filter(schema => layoutOf(database, schema) !== LAYOUT)
  if (others.length === 0) return
  const highest = Math.max(...others.map(schema => layoutOf(database, schema)))
  if (highest > LAYOUT) throw tooNew(highest)
  const old = others.find(schema => !isNew(database, schema))
  if (old !== undefined) throw tooOld(layoutOf(database, old))
  database.transaction(() => {
    for (const schema of others) database.exec(`PRAGMA ${quote(schema)}.user_version = ${LAYOUT}`)
  })
}

const tooNew = (layout: number): SyncError =>
  new SyncError(
    'database_failed',
    `The data of this device was written by a newer version of the app: expected layout ${LAYOUT} or older, got ${layout}. Install the newer version again. Nothing was changed.`,
    { details: { layout, known: LAYOUT } },
  )

const tooOld = (layout: number): SyncError =>
  new SyncError(
    'database_failed',
    `The data of this device was written before the first release: expected layout ${LAYOUT}, got ${layout}. Delete its files and sync again. Nothing was changed.`,
    { details: { layout, known: LAYOUT } },
  )

const layoutOf = (database: DeviceDatabase, schema: SchemaName): number =>
  database.withStatement(`PRAGMA ${quote(schema)}.user_version`, pragma => pragma.arrays()[0]?.[0] as number)

const isNew = (database: DeviceDatabase, schema: SchemaName): boolean =>
  database.withStatement(
    `SELECT 1 FROM ${quote(schema)}.sqlite_master WHERE name = 'outbox'`,
    made => made.get() === undefined,
  )
