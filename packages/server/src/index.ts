export type { Authenticate } from './accounts/access/authenticate.js'
export { type AdminRecovery, recoverAdmin } from './accounts/access/recover-admin.js'
export type { PasswordLogin } from './accounts/access/user-of-password.js'
export { type WorkingLoginsOptions, workingLogins } from './accounts/access/working-logins.js'
export { type Restore, recordRestore } from './admin/audit/record-restore.js'
export type { PushProvider, PushProviders, PushTarget } from './admin/ping/providers/provider.js'
export { defineSource, type SourceDefinition } from './backend/sources/define-source.js'
export { type KeyDatabase, oncePerKey } from './backend/sources/once-per-key.js'
export type { BackendOptions } from './backend/sources/plugin-backend.js'
export { failure, refusal } from './backend/sources/refusal.js'
export type {
  Conflict,
  ConflictPolicy,
  CreateAnswer,
  QueryContext,
  QueryResult,
  SentBlob,
  Source,
  SourceContext,
  SourceMethods,
  SourceSettings,
  WriteContext,
} from './backend/sources/source.js'
export { DEFAULT_LIMITS, type Limits } from './base/limits.js'
export { type Log, silentLog } from './base/log.js'
export { createSyncServer, type ListenAddress, type SyncServer } from './start/create-sync-server.js'
export type { StaticFolder, SyncServerOptions } from './start/options.js'
