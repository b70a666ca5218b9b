export { type BackUpOptions, backUpSqliteStore } from './backup/back-up.js'
export { type CheckOptions, checkSqliteStore, type StoreFile } from './backup/check-file.js'
export type { CopyOptions } from './backup/copy-file.js'
export { openSqliteRecords, type StoreRecords } from './backup/read-records.js'
export { type RenewOptions, renewEpochs } from './backup/renew-epochs.js'
export {
  type FormerStore,
  type RestoredStore,
  type RestoreOptions,
  restoreSqliteStore,
} from './backup/restore.js'
export type { Integrity } from './integrity.js'
export { lockSqliteStore, type StoreLock } from './lock-store.js'
export { migrate } from './migrate.js'
export { openSqliteStore } from './open-sqlite-store.js'
export {
  createPrivateFile,
  createPrivateFolderOf,
  filesOpenToOthers as readByOthers,
  restrictToOwner,
} from './private-files.js'
export type { SqliteHandle, SqliteHandles, SqliteStatement, SqlValue } from './sqlite-handle.js'
export { type SqliteStore, sqliteStore } from './sqlite-store.js'
export type { Durability, SqliteStoreOptions } from './sqlite-store-options.js'
