import type { Attributes, ObjectId } from '@godwit/protocol'
import type { SqlRow } from './database/driver.js'
import type { Definition } from './definition/definition.js'
import type { CallRecords } from './records/call-records.js'
import type { Records } from './records/records.js'
import type { Select } from './records/select.js'

/** The interface of an open device to both APIs: models, transactions and, as plain values, the sync state. */
export interface Device {
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
}

/** A model that is defined at its first use. */
export interface ModelDraft {
  readonly isLoaded: boolean
  readonly definition: Definition
  ready(): unknown
}

/** Identifies a change by model, object and operation. */
export interface RefusalRef<Name extends string = string> {
  readonly model: Name
  readonly object: ObjectId
  readonly operation: 'create' | 'update' | 'delete'
  /** Selects one of several refused updates of an object, and the values that `retry` writes. Absent or empty: the latest. */
  readonly attributes?: Attributes
}

/** A change that the server refused. */
export interface Refusal<Name extends string = string> extends RefusalRef<Name> {
  readonly id: number
  readonly status: 'refused' | 'conflict' | 'gone' | 'depends_on_refused'
  /** The values that the app wrote. */
  readonly attributes: Attributes
  /** The values before the change. */
  readonly was: Attributes
  readonly error: { readonly code: string; readonly message: string }
  /** When it was refused, ISO 8601. */
  readonly at: string
}

/** An applied change of this device that replaced values which others had written and this device had not seen. */
export interface Overwritten<Name extends string = string> {
  readonly id: number
  readonly model: Name
  readonly object: ObjectId
  readonly operation: 'update' | 'delete'
  /** The values that this device wrote; empty for a delete. */
  readonly attributes: Attributes
  /** The values that they replaced; null: there was none. Of a delete, the whole object. */
  readonly overwrote: Attributes
  /** When the device learned of it, ISO 8601. */
  readonly at: string
}

/** A change that the server has not decided yet. */
export interface PendingChange<Name extends string = string> extends RefusalRef<Name> {
  /** create: all attributes. update: changed ones, `null` removes. delete: none. */
  readonly attributes: Attributes
  /** `unsent`: not in a request yet. `sent`: in a request, undecided. `in_doubt`: the backend's result is unknown and an operator has to decide. */
  readonly state: 'unsent' | 'sent' | 'in_doubt'
}
