import type { Attributes, ObjectId } from '@godwit/protocol'

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
  /** The values before the change. If the status is `gone`: all values that the removed object last had on this device. */
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
