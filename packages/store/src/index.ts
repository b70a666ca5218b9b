export type { Audit, AuditHead, AuditRow } from './audit.js'
export {
  type BlobCharge,
  type BlobFacts,
  type BlobHold,
  type BlobName,
  type BlobPart,
  type Blobs,
  type LimitedCharge,
  MAX_BLOB_PART,
} from './blobs.js'
export { CLOCK_SLACK, isFromClockAhead } from './clock-ahead.js'
export {
  type AdvancedBatch,
  type AdvanceOptions,
  type AppliedBatch,
  type ApplyOptions,
  type Batch,
  type ChangeOrigin,
  type ChangeRow,
  type Changes,
  type CollectionId,
  type Collections,
  type CursorMove,
  type DevicePage,
  type DevicePageOptions,
  type Guard,
  type Head,
  MAX_BATCH,
  type NextQuery,
  type ObjectHistory,
  type ObjectVersion,
  type PendingRemovals,
  type Position,
  type QueryFailure,
  type Reader,
  type ReadPosition,
  type RefusedWrite,
  type RemovalConfirmation,
  type ReplaceOptions,
  type ReplaceResult,
  type RowPage,
  type RunEndOptions,
  type StoredObjectState,
  type WriterOrigin,
} from './collections.js'
export type { Counter, Counters } from './counters.js'
export type { Documents } from './documents.js'
export type { Events } from './events.js'
export { READ_BYTES } from './history/take-rows.js'
export { inTime, within } from './in-time.js'
export type { Job, JobContext, JobHandler, JobPage, JobState, Jobs, NewJob, Worker, WorkOptions } from './jobs.js'
export type {
  Acceptance,
  Acceptances,
  Journal,
  JournalEntry,
  MovedObject,
  MutationState,
  ReleasedMutation,
  SettledMutation,
  Settlement,
  Start,
  StartedMutation,
  StartRefusal,
  UndecidedCursor,
  Write,
} from './journal.js'
export type { Lease, LeaseName, Leases } from './leases.js'
export { MAX_COUNTED, type Measures, type ReplicaCounts } from './measures.js'
export { type MemoryCounters, memoryCounters } from './memory/counters.js'
export { openMemoryJobs } from './memory/jobs.js'
export { openMemoryStore } from './memory/memory-store.js'
export type { OutcomePage, Outcomes } from './outcomes.js'
export type { RecordKind, RecordValue, Registry, RegistryRecord } from './registry.js'
export { BUCKET_SECONDS, type Bucket, type Level, type Point, SERIES_SECONDS, type Series } from './series.js'
export type { Store, StoreOptions } from './store.js'
export { type BlobContent, completeIfValid, writeBlob } from './write-blob.js'
