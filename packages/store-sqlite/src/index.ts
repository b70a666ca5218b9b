export { migrate } from './migrate.js'
export { openSqliteStore } from './open-sqlite-store.js'
export type { SqliteHandle, SqliteHandles, SqliteStatement, SqlValue } from './sqlite-handle.js'
export { sqliteStore } from './sqlite-store.js'
