import { SyncError } from '@godwit/protocol'
import type { DeviceDatabase } from './database.js'
import { SettingsTable } from './settings-table.js'

const RELEASE = 'release'

/** Throws `reload_needed` if a newer release of the app has opened the device. Does not write. */
export function checkRelease(database: DeviceDatabase, release: number): void {
  const kept = readRelease(database)
  if (release >= kept) return
  throw new SyncError(
    'reload_needed',
    `A newer release of this app has opened this device: expected release ${kept} or higher, got ${release}. Load the newer release. Nothing was changed.`,
    { details: { release: kept, own: release } },
  )
}

/** Durably stores the release of the app that opened the device, unless a newer one is stored. */
export function keepRelease(database: DeviceDatabase, release: number): void {
  if (readRelease(database) < release)
    database.durable(() => new SettingsTable(database, 'main').set(RELEASE, String(release)))
}

function readRelease(database: DeviceDatabase): number {
  const table = "SELECT 1 FROM main.sqlite_master WHERE name = 'setting'"
  const isMade = database.withStatement(table, statement => statement.get()) !== undefined
  return isMade
    ? Number(new SettingsTable(database, 'main').get(RELEASE) ?? Number.NEGATIVE_INFINITY)
    : Number.NEGATIVE_INFINITY
}
