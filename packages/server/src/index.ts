export {
  type AccessContext,
  type AuthProvider,
  type ChangesContext,
  type ChangesPart,
  type Conflict,
  type ConflictPolicy,
  type CreateAnswer,
  cursorGone,
  defineSource,
  type Feed,
  type FeedBatch,
  type FeedChange,
  type FeedContext,
  type FeedTarget,
  failure,
  type GuardedFetch,
  type GuardedRequest,
  type GuardedResponse,
  gone,
  type KeyedPushProvider,
  type Log,
  type PartitionContext,
  type PushProvider,
  type PushProviders,
  type PushTarget,
  type PushVerdict,
  type QueryContext,
  type QueryResult,
  type ReadContext,
  refusal,
  type SentBlob,
  type Source,
  type SourceContext,
  type SourceDefinition,
  type SourceMethods,
  type SourceSettings,
  type TestablePushProvider,
  type WriteContext,
} from '@godwit/source'
export type { PasswordLogin } from './accounts/access/user-of-password.js'
export { type WorkingLoginsOptions, workingLogins } from './accounts/access/working-logins.js'
export { type Restore, recordRestore } from './admin/audit/record-restore.js'
export { type AdminRecovery, recoverAdmin } from './admin/operations/recover-admin.js'
export type { Authenticate } from './backend/sources/authenticate.js'
export { guardedClient } from './backend/sources/guarded-client.js'
export { type KeyDatabase, oncePerKey } from './backend/sources/once-per-key.js'
export type { BackendOptions } from './backend/sources/plugin-backend.js'
export { DEFAULT_LIMITS, type Limits } from './base/limits.js'
export { silentLog } from './base/log.js'
export type { StaticFolder } from './http/static.js'
export { createSyncServer, type ListenAddress, type SyncServer } from './start/create-sync-server.js'
export type { SyncServerOptions } from './start/options.js'
