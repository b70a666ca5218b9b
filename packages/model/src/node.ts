import { SyncError } from '@godwit/protocol'
import { betterSqlite3Drive, loadBetterSqlite3, loadMultipleCiphers } from './drivers/better-sqlite3.js'
import { quietFetch, wholeFetch } from './drivers/node-fetch.js'
import { nodeFiles } from './drivers/node-files.js'
import { loadNodeSqlite, nodeSqliteDrive } from './drivers/node-sqlite.js'
import { requireNode } from './drivers/require-node.js'
import type { Drive } from './platform/driver.js'
import { openSdkOn, type SdkOptions } from './sdk/open-sdk.js'
import type { Sdk } from './sdk/sdk.js'
import type { Models } from './typed/infer.js'

/** Options of `openSdk` in Node: a directory for the device, and the options of every platform. */
export interface NodeSdkOptions<Ms = Record<never, never>> extends SdkOptions<Ms> {
  /** The device's own directory, created if needed. */
  readonly directory: string
  /** Default: better-sqlite3 if it is installed, otherwise Node's SQLite. */
  readonly driver?: 'better-sqlite3' | 'node-sqlite'
  /**
   * Encrypts the device's files (ChaCha20-Poly1305) with better-sqlite3-multiple-ciphers; another key than before throws `encryption_key_wrong`. Keep
   * the key in the platform's key store: if it is lost, unsynced changes are lost.
   */
  readonly encryptionKey?: string
}

/** Opens the device in a directory. Several processes can read and write it; only one at a time can sync. */
export async function openSdk<const Ms extends Models<Ms> = Record<never, never>>(
  options: NodeSdkOptions<Ms>,
): Promise<Sdk<Ms>> {
  requireNode(process.versions.node)
  if (typeof options?.directory !== 'string' || options.directory === '') throw noDirectory(options?.directory)
  const platform = { whole: wholeFetch, stream: quietFetch, files: nodeFiles(options.directory), hold: holdProcess }
  return openSdkOn<Ms>(await driveOf(options), options, platform)
}

/** Keeps the process alive until the returned function is called. */
function holdProcess(): () => void {
  const timer = setInterval(() => {}, 2 ** 30)
  return () => clearInterval(timer)
}

const noDirectory = (given: unknown): SyncError =>
  new SyncError(
    'value_not_allowed',
    `directory: expected the path of a folder for the device's files, got ${given === '' ? 'an empty text' : typeof given}.`,
  )

type Where = Pick<NodeSdkOptions, 'directory' | 'driver' | 'encryptionKey'>

async function driveOf({ directory, driver, encryptionKey }: Where): Promise<Drive> {
  if (encryptionKey !== undefined) return encryptedDrive(directory, encryptionKey, driver)
  const library = driver === 'node-sqlite' ? undefined : await loadBetterSqlite3()
  return library ? betterSqlite3Drive(library, directory) : nodeSqliteDrive(await loadNodeSqlite(), directory)
}

async function encryptedDrive(directory: string, encryptionKey: string, driver: Where['driver']): Promise<Drive> {
  if (encryptionKey === '')
    throw new SyncError(
      'value_not_allowed',
      'encryptionKey: expected a text of at least one character, got an empty one.',
    )
  if (driver === 'node-sqlite')
    throw new SyncError(
      'value_not_allowed',
      'encryptionKey: the SQLite of Node does not encrypt. Leave the driver out.',
    )
  const library = await loadMultipleCiphers()
  if (library) return betterSqlite3Drive(library, directory, encryptionKey)
  throw new SyncError(
    'value_not_allowed',
    'encryptionKey: the package better-sqlite3-multiple-ciphers, which encrypts, is not installed. Run npm install better-sqlite3-multiple-ciphers.',
  )
}

export type { BulkSource } from './bulk/load-bulk-data.js'
export type { Overwritten, PendingChange, Refusal } from './definition/reported-changes.js'
export type { NotificationHandler, SyncNotification } from './events/notifications.js'
export type { ObjectNotification, ObjectNotificationHandler } from './events/object-notifications.js'
export type { SdkEvent } from './events/sdk-events.js'
export type { RefusedObject, ServerErrors } from './events/server-errors.js'
export type { PingMessage } from './events/server-events.js'
export type { Orm } from './orm/create-orm.js'
export type { OrmModel } from './orm/orm-model.js'
export type { OrmRecord } from './orm/orm-record.js'
export type { Drive, Driver, SqlRow, SqlValue, Statement } from './platform/driver.js'
export type { SignInState } from './platform/sign-in-state.js'
export type { Timers } from './platform/timers.js'
export type { Credentials } from './run/sign-in.js'
export type { LoginOptions, TokenLoginOptions } from './sdk/accounts.js'
export type { ChangeDump, DebugOptions, DeviceDump, SourceDump } from './sdk/device-dump.js'
export type { SdkOptions } from './sdk/open-sdk.js'
export type { Sdk } from './sdk/sdk.js'
export type { BulkOptions } from './sdk/sync-controls.js'
export type { BulkSummary } from './sync/bulk-sync.js'
export type { FoundIn, SearchOptions, SearchSummary } from './sync/search-backends.js'
export type { SourceSummary, SyncSummary } from './sync/sync.js'
export type { CheckedModels, TypedModels } from './typed/typed-models.js'
