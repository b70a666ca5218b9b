export {
  type AdminSession,
  type Attributes,
  type AuditCheck,
  type AuditEntry,
  type AuditList,
  type ChangeAuthor,
  type ClientInfo,
  type ClientLine,
  type ClientList,
  type ClientSource,
  type DocumentContent,
  type ErrorCode,
  type Explain,
  type Explanation,
  type FeedInfo,
  isSyncError,
  type JobInfo,
  type MutationSettlement,
  type ObjectHistory,
  type ObjectList,
  type ObjectMap,
  type ObjectPage,
  type ObjectVersion,
  type PartitionRemovals,
  type PartitionState,
  type PendingRemovals,
  type PingResult,
  type ProcessState,
  type Refusal,
  type RefusalContent,
  type RefusalList,
  type RefusalPage,
  type RetryResult,
  type SentMutation,
  type ServerEvent,
  type ServerEventKind,
  type ServerState,
  type SourceChange,
  type SourceInfo,
  type StatsBucket,
  type StatsLevel,
  type StoredObject,
  SyncError,
  type TokenInfo,
  type TokenList,
  type UndecidedMutation,
  type UnheardOutcome,
  type User,
  type UserCreate,
  type UserSession,
  type UsersCreated,
  type UserUpdate,
  type Warning,
  type WriteResult,
} from '@godwit/protocol'
export { AdminClient, type AdminClientOptions, type LoginOptions } from './admin-client.js'
export type { ListFilter, ObjectSearch, ObjectsOf } from './all.js'
export type { BatchLimits, Many, Objects } from './batches.js'
export type { CallOptions, Fetch } from './connection.js'
export type { WatchOptions } from './events.js'
export type { PushOptions, RebuildOptions } from './plugin.js'
export type { DocumentResult, ReadOptions } from './read-document.js'
export type { ReadStateOptions } from './read-state.js'
export type { SourceUpdateOptions } from './sources.js'
export type { StreamedObject } from './stream.js'
export type { StatsRange } from './system.js'
export type {
  CreateManyOptions,
  HistoryOptions,
  NewUser,
  PingOptions,
  RoleOptions,
  UserListOptions,
  WriteOptions,
} from './users.js'
