import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { betterSqlite3Drive, loadBetterSqlite3 } from '../drivers/better-sqlite3.js'
import { loadNodeSqlite, nodeSqliteDrive } from '../drivers/node-sqlite.js'
import type { Drive } from '../platform/driver.js'

export const DRIVERS = ['better-sqlite3', 'node:sqlite'] as const
export type DriverName = (typeof DRIVERS)[number]

export async function driveOn(driver: DriverName, directory: string): Promise<Drive> {
  const library = await loadBetterSqlite3()
  if (driver === 'better-sqlite3' && library) return betterSqlite3Drive(library, directory)
  return nodeSqliteDrive(await loadNodeSqlite(), directory)
}

/** Returns a factory of temporary directories, which `removeAll` deletes. */
export function temporaryDirectories(): { make(): string; removeAll(): void } {
  const made: string[] = []
  return {
    make() {
      const directory = mkdtempSync(join(tmpdir(), 'godwit-model-'))
      made.push(directory)
      return directory
    },
    removeAll() {
      for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true })
    },
  }
}
