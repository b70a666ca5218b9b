import type { Attributes, ObjectId } from '@godwit/protocol'
import type { SqlRow } from './database/driver.js'
import type { Definition } from './definition/definition.js'
import type { CallNotes } from './records/call-notes.js'
import type { Records } from './records/records.js'
import type { Select } from './records/select.js'

/** What the faces see of the opened device: models, transactions and, as plain values, what sync knows. */
export interface Device {
  /** Makes or migrates its tables. Defining it again: the same definition is no change, another one migrates. */
  define(definition: Definition): Records
  find(name: string): Records | undefined
  /** Learns of a model that is made and not defined yet: a sync defines it. */
  drafted(draft: ModelDraft): void
  names(): readonly string[]
  /** Runs in one transaction over all partitions; a throw rolls back. May be nested. */
  transaction<T>(run: () => T): T
  /** Runs if the open transaction is undone, or one around it. */
  onRollback(undo: () => void): void
  /** Rows of a SELECT over models by name. */
  select(select: Select): readonly SqlRow[]
  observeSelect(select: Select, callback: (rows: readonly SqlRow[]) => void): () => void
  /** Pushes unsent changes of a model's source; failures become notifications. */
  pushChanges(model: string): Promise<void>
  /** The client id, null before any. */
  clientId(): string | null
  /** When the source last completed a pass, ISO 8601; '' before the first. */
  refreshTime(model: string): string
  /** Refused changes that were not handled yet. */
  refused(model?: string): readonly Refusal[]
  /** What a handler decides about a refused change. */
  resolveRefusal(refusal: RefusalRef, action: 'delete' | 'recreate' | 'retry' | 'rollback'): void
  /** Lists it no more. */
  dismissRefusal(refusal: Pick<Refusal, 'id' | 'model'>): void
  onRefused(model: string, handler: ((refusal: Refusal) => void) | undefined): void
  /** Hears what callbacks of the app throw. Undefined: they are thrown by themselves, as uncaught errors. */
  onThrown(hear: ((error: unknown) => void) | undefined): void
  /** Keeps bytes as the file of a blob, for a row that is written next. Resolves to its SHA-256. */
  keepBytes(bytes: Uint8Array): Promise<string>
  /** What calls of other threads wrote. */
  readonly calls: CallNotes
  /** The server's id of the last user; null before the first. */
  userId(): string | null
  /** How many changes are undecided, and how many refused ones were not handled yet. */
  counts(): { readonly waiting: number; readonly refused: number }
}

/** A model that its first use defines. */
export interface ModelDraft {
  readonly isLoaded: boolean
  readonly definition: Definition
  ready(): unknown
}

export interface RefusalRef<Name extends string = string> {
  readonly model: Name
  readonly object: ObjectId
  readonly operation: 'create' | 'update' | 'delete'
  /** Of several refused updates, the one of these; `retry` changes the object to them. Absent, empty or of none: the latest. */
  readonly attributes?: Attributes
}

/** A change that the server did not take. */
export interface Refusal<Name extends string = string> extends RefusalRef<Name> {
  readonly id: number
  readonly status: 'refused' | 'conflict' | 'gone' | 'depends_on_refused'
  /** What the app wanted. */
  readonly attributes: Attributes
  /** What it was before. */
  readonly was: Attributes
  readonly error: { readonly code: string; readonly message: string }
  /** ISO 8601. */
  readonly at: string
}

/** A change that the server has not decided yet. */
export interface PendingChange<Name extends string = string> extends RefusalRef<Name> {
  /** create: all attributes. update: those that change, `null` removes. delete: none. */
  readonly attributes: Attributes
  /** `unsent`: in no request yet; `sent`: in one, undecided; `in_doubt`: the backend never answered, an operator decides. */
  readonly state: 'unsent' | 'sent' | 'in_doubt'
}
