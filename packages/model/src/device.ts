import type { Attributes, ObjectId } from '@godwit/protocol'
import type { SqlRow } from './database/driver.js'
import type { Definition } from './definition/definition.js'
import type { CallRecords } from './records/call-records.js'
import type { Records } from './records/records.js'
import type { Select } from './records/select.js'

/** The open device as both APIs see it: models, transactions and, as plain values, the state of sync. */
export interface Device {
  /** Creates or migrates the model's tables. Repeating the same definition changes nothing. */
  define(definition: Definition): Records
  find(name: string): Records | undefined
  /** Registers a model that is declared and not used yet; a sync defines it. */
  drafted(draft: ModelDraft): void
  names(): readonly string[]
  /** Runs one transaction over all partitions; a throw rolls back. May be nested. */
  transaction<T>(run: () => T): T
  /** Runs `undo` if the open transaction, or one around it, is rolled back. */
  onRollback(undo: () => void): void
  /** Rows of a SELECT over models by name. */
  select(select: Select): readonly SqlRow[]
  observeSelect(select: Select, callback: (rows: readonly SqlRow[]) => void): () => void
  /** Pushes unsent changes of a model. Failures are reported as notifications. */
  pushChanges(model: string): Promise<void>
  /** The client id; null before the first sync. */
  clientId(): string | null
  /** When the source last completed a pass, ISO 8601; '' before the first. */
  refreshTime(model: string): string
  /** Refused changes that were not handled yet. */
  refused(model?: string): readonly Refusal[]
  /** Applies a handler's decision about a refused change. */
  resolveRefusal(refusal: RefusalRef, action: 'delete' | 'recreate' | 'retry' | 'rollback'): void
  /** Removes a refusal from the list. */
  dismissRefusal(refusal: Pick<Refusal, 'id' | 'model'>): void
  onRefused(model: string, handler: ((refusal: Refusal) => void) | undefined): void
  /** Sets a listener for errors of the app's callbacks. Undefined: they are thrown as uncaught errors. */
  onThrown(hear: ((error: unknown) => void) | undefined): void
  /** Sets a listener that is called after each committed transaction. Undefined: removes it. */
  onCommitted(hear: (() => void) | undefined): void
  /** Stores bytes as the file of a blob, for a row that is written next. Resolves to its SHA-256. */
  keepBytes(bytes: Uint8Array): Promise<string>
  /** Records of calls from other threads. */
  readonly calls: CallRecords
  /** The server's id of the last user; null before the first. */
  userId(): string | null
  /** The numbers of undecided changes, and of refused ones that were not handled yet. */
  counts(): { readonly waiting: number; readonly refused: number }
}

/** A model that is defined at its first use. */
export interface ModelDraft {
  readonly isLoaded: boolean
  readonly definition: Definition
  ready(): unknown
}

export interface RefusalRef<Name extends string = string> {
  readonly model: Name
  readonly object: ObjectId
  readonly operation: 'create' | 'update' | 'delete'
  /** Selects one of several refused updates of an object, and `retry` applies these attributes. Absent or empty: the latest. */
  readonly attributes?: Attributes
}

/** A change that the server refused. */
export interface Refusal<Name extends string = string> extends RefusalRef<Name> {
  readonly id: number
  readonly status: 'refused' | 'conflict' | 'gone' | 'depends_on_refused'
  /** The values that the app wrote. */
  readonly attributes: Attributes
  /** The former values. */
  readonly was: Attributes
  readonly error: { readonly code: string; readonly message: string }
  /** When it was refused, ISO 8601. */
  readonly at: string
}

/** A change that the server has not decided yet. */
export interface PendingChange<Name extends string = string> extends RefusalRef<Name> {
  /** create: all attributes. update: changed ones, `null` removes. delete: none. */
  readonly attributes: Attributes
  /** `unsent`: in no request yet; `sent`: in one, undecided; `in_doubt`: the backend's result is unknown, an operator decides. */
  readonly state: 'unsent' | 'sent' | 'in_doubt'
}
