import type { Definition } from '../definition/definition.js'
import type { Overwritten, Refusal, RefusalRef } from '../definition/reported-changes.js'
import type { SqlRow } from '../platform/driver.js'
import type { Subscribing } from '../subscriptions/subscription.js'
import type { SubscriptionInfo } from '../subscriptions/subscription-list.js'
import type { CallRecords } from './call-records.js'
import type { Records } from './records.js'
import type { Select } from './select.js'

/** The interface of an open device to both APIs: models, transactions and, as plain values, the sync state. */
export interface Device extends Subscribing {
  /** Creates or migrates the model's tables. Repeating the same definition changes nothing. */
  define(definition: Definition): Records
  find(name: string): Records | undefined
  /** Registers a model that is declared but not used yet; the next sync defines it. */
  drafted(draft: ModelDraft): void
  names(): readonly string[]
  /** Runs one transaction over all partitions, which is rolled back if `run` throws. Transactions can be nested. */
  transaction<T>(run: () => T): T
  /** Runs `undo` if the open transaction, or one around it, is rolled back. */
  onRollback(undo: () => void): void
  /** Returns the rows of a SELECT over models by name. */
  select(select: Select): readonly SqlRow[]
  observeSelect(select: Select, callback: (rows: readonly SqlRow[]) => void): () => void
  /** Pushes unsent changes of a model. Failures are reported as notifications. */
  pushChanges(model: string): Promise<void>
  /** Returns the client id; null before the first sync. */
  clientId(): string | null
  /** Returns when the source last completed a pass, as ISO 8601; '' before the first. */
  refreshTime(model: string): string
  /** Returns since when a source may lack what changed in the backend, as ISO 8601; null: it does not. */
  staleSince(model: string): string | null
  /** Returns the refused changes that are not resolved yet. */
  refused(model?: string): readonly Refusal[]
  /** Resolves a refused change by an action. */
  resolveRefusal(refusal: RefusalRef, action: 'delete' | 'recreate' | 'retry' | 'rollback'): void
  /** Removes a refusal from the list; its change stays rolled back. */
  dismissRefusal(refusal: Pick<Refusal, 'id' | 'model'>): void
  /** Returns what changes of this device replaced of others, and the app has not dismissed. */
  overwritten(model?: string): readonly Overwritten[]
  /** Removes it from the list. */
  dismissOverwritten(overwritten: Pick<Overwritten, 'id' | 'model'>): void
  onRefused(model: string, handler: ((refusal: Refusal) => void) | undefined): void
  /** Sets a listener for errors of the app's callbacks. Undefined: they are thrown as uncaught errors. */
  onThrown(hear: ((error: unknown) => void) | undefined): void
  /** Sets a listener that is called after each committed transaction. Undefined: removes it. */
  onCommitted(hear: (() => void) | undefined): void
  /** Returns the partitions that the device wants, of one model or of all. */
  subscriptions(model?: string): readonly SubscriptionInfo[]
  /** Stores bytes as the file of a blob that a later write refers to. Resolves to its SHA-256. */
  keepBytes(bytes: Uint8Array): Promise<string>
  /** Records of calls from other threads. */
  readonly calls: CallRecords
  /** Returns the server's id of the last user; null before the first. */
  userId(): string | null
  /** Returns the numbers of undecided changes, of unresolved refusals, and of changes that replaced values of others. */
  counts(): DeviceCounts
}

/** Numbers of changes that wait for the server or for the app. */
export interface DeviceCounts {
  readonly waiting: number
  readonly refused: number
  readonly overwritten: number
  /** The earliest time since which the backend's changes of a source may be missing on the server; null: none. */
  readonly staleSince: string | null
}

/** A model that is defined at its first use. */
export interface ModelDraft {
  readonly isLoaded: boolean
  readonly definition: Definition
  ready(): unknown
}
