export type { AppServer } from './admin/app-server.js'
export type { AuditCheck, AuditEntry, AuditList } from './admin/audit.js'
export type { BackendSecret } from './admin/backend-secret.js'
export type { ClientInfo, ClientLine, ClientList, ClientSource, PushCounts, UnheardOutcome } from './admin/client.js'
export type { DocumentContent, DocumentNames, DocumentWrite } from './admin/document.js'
export type { Explain, Explanation, Finding } from './admin/explain.js'
export type { FeedInfo } from './admin/feed.js'
export type { JobInfo, JobList } from './admin/job.js'
export type { License } from './admin/license.js'
export type { AdminLogin, AdminToken } from './admin/login.js'
export type { ChangeAuthor, ObjectHistory, ObjectHistoryQuery, ObjectVersion } from './admin/object-history.js'
export type { ObjectList, ObjectPage, StoredObject } from './admin/object-page.js'
export type { PartitionState, PendingRemovals } from './admin/partition.js'
export type {
  Ping,
  PingAnswer,
  PingFailed,
  PingJob,
  PingResult,
  PingSkipped,
  PushMessage,
  SkipReason,
} from './admin/ping.js'
export type { ReadState } from './admin/read-state.js'
export type { Refusal, RefusalContent, RefusalList, RefusalPage } from './admin/refusal.js'
export type {
  CallFailedEvent,
  ClientCreatedEvent,
  ClientDeletedEvent,
  EventsMissedEvent,
  JobFailedEvent,
  LoginEvent,
  LoginRefusedEvent,
  MutationInDoubtEvent,
  MutationRefusedEvent,
  MutationsPushedEvent,
  ObjectsWrittenEvent,
  QueryDoneEvent,
  QueryFailedEvent,
  ServerEvent,
  ServerEventKind,
  ServerEventsQuery,
  ServerStartedEvent,
  ServerStoppingEvent,
  StreamEndedEvent,
  StreamStartedEvent,
} from './admin/server-event.js'
export type {
  FailureCount,
  PartitionRemovals,
  ProcessState,
  QueueState,
  RequestSummary,
  ServerState,
  Warning,
} from './admin/server-state.js'
export type { AdminSession } from './admin/session.js'
export type { SourceChange, SourceInfo, SourceUpdate } from './admin/source.js'
export type { Stats, StatsBucket, StatsLevel, StatsQuery } from './admin/stats.js'
export type { TokenInfo, TokenList } from './admin/token.js'
export type {
  MutationSettlement,
  RetryResult,
  SentMutation,
  UndecidedList,
  UndecidedMutation,
} from './admin/undecided-mutation.js'
export type { User, UserCreate, UserCreated, UserList, UsersCreate, UsersCreated, UserUpdate } from './admin/user.js'
export type { UserSession } from './admin/user-session.js'
export type {
  AnyBackendCall,
  BackendAuthenticate,
  BackendCall,
  BackendChanges,
  BackendCreate,
  BackendDelete,
  BackendGet,
  BackendOperation,
  BackendQuery,
  BackendSearch,
  BackendUpdate,
} from './backend/call.js'
export { canonicalJson } from './canonical-json.js'
export { Checksum, idLanes } from './checksum.js'
export type { BlobRead, BlobUpload, BlobUploaded } from './device/blobs.js'
export type { BulkData, BulkRequest } from './device/bulk.js'
export type { ClientCreated, ClientRegistration, ClientReset } from './device/client.js'
export type { EventsQuery } from './device/events.js'
export {
  DEFAULT_PAGE_SIZE,
  DEFAULT_SEARCH_RESULTS,
  DEFAULT_VERSIONS,
  MAX_BLOB_UPLOAD,
  MAX_GET_OBJECTS,
  MAX_MUTATIONS,
  MAX_PAGE_SIZE,
  MAX_PULLS,
  MAX_PUSH_BYTES,
  MAX_SEARCH_RESULTS,
  MAX_WAS_VALUE,
} from './device/limits.js'
export type { DeviceLogin, DeviceSession } from './device/login.js'
export type { Digests, Mutation, Push, PushOutcomes } from './device/mutation.js'
export type { Outcome, SourceError } from './device/outcome.js'
export type { Page, PartitionPull, Pull, PullBody } from './device/page.js'
export {
  isParameterValue,
  isPartitionParameters,
  MAX_BY,
  type PartitionParameters,
  parametersName,
  parametersOf,
  readParameters,
  type SourceKey,
  sourceKeyText,
} from './device/parameters.js'
export type {
  AnyPages,
  ListedPartition,
  PartitionEntry,
  PartitionFailure,
  PartitionPage,
  PartitionPages,
  UnservedPartition,
} from './device/partition-pages.js'
export type { PushKey } from './device/push-key.js'
export type { Search, SearchFor, SearchResult, SearchResults } from './device/search.js'
export type { GetObjects, GotObjects, Versions, VersionsQuery } from './device/versions.js'
export { OPERATIONS, type Operation, OUTCOME_STATUSES, type OutcomeStatus } from './device/vocabulary.js'
export { type ErrorCode, isErrorCode, RETRYABLE_CODES } from './errors/codes.js'
export { ERROR_CODES } from './errors/meanings.js'
export type { Problem, ProblemPart } from './errors/problem.js'
export { isSyncError, SyncError, type SyncErrorOptions } from './errors/sync-error.js'
export {
  API_TOKEN_HEADER,
  BACKEND_SIGNATURE_HEADER,
  CLIENT_ID_HEADER,
  CONSOLE_COOKIE,
  HINT_HEADER,
  IDEMPOTENCY_KEY_HEADER,
  PROBLEM_TYPE,
  QUERY_HEADER,
  SESSION_COOKIE,
} from './headers.js'
export {
  type Attributes,
  type AttributeValue,
  emptyRecord,
  isJsonObject,
  type JsonValue,
  MAX_BODY_DEPTH,
  MAX_ID_BYTES,
  type ObjectId,
  type ObjectMap,
} from './object-map.js'
export type { FastDelete } from './plugin/fast-delete.js'
export type { FastInsert } from './plugin/fast-insert.js'
export type { FastUpdate } from './plugin/fast-update.js'
export type { PushDeletes } from './plugin/push-deletes.js'
export type { PushObjects, WriteResult } from './plugin/push-objects.js'
export { API_ROLES, type ApiRole, mayCall, type Role, USER_ROLES, type UserRole } from './roles.js'
export {
  type Answer,
  type Body,
  fillPath,
  type Method,
  type Parameters,
  type PathParameters,
  type Query,
  type Route,
  type RouteLine,
  type RouteTypes,
} from './route.js'
export { type Routes, routes } from './routes.js'
export { PROTOCOL_VERSION } from './version.js'
export { HALF_PAIR, isWellFormed, isWellFormedJson } from './well-formed.js'
