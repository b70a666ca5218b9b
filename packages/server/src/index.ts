export type { Authenticate } from './access/authenticate.js'
export { type AdminRecovery, recoverAdmin } from './access/recover-admin.js'
export type { PasswordLogin } from './access/user-of-password.js'
export { type WorkingLoginsOptions, workingLogins } from './access/working-logins.js'
export { type Restore, recordRestore } from './audit/record-restore.js'
export { createSyncServer, type ListenAddress, type SyncServer } from './create-sync-server.js'
export { type Log, silentLog } from './log.js'
export { DEFAULT_LIMITS, type Limits, type StaticFolder, type SyncServerOptions } from './options.js'
export type { PushProvider, PushProviders, PushTarget } from './ping/providers/provider.js'
export { defineSource, type SourceDefinition } from './sources/define-source.js'
export { type KeyDatabase, oncePerKey } from './sources/once-per-key.js'
export type { BackendOptions } from './sources/plugin-backend.js'
export { failure, refusal } from './sources/refusal.js'
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
} from './sources/source.js'
