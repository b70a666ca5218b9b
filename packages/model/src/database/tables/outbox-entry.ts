import type { Attributes, ObjectId, Operation } from '@godwit/protocol'
import { parseAttributes, withoutNulls } from '../../definition/attribute-values.js'
import type { SqlValue } from '../../platform/driver.js'

/**
 * `unsent`: not in a request since the numbering last started. `taken`: in a request without a known response. `accepted`: received by the server,
 * undecided. `doubt`: accepted, with an unknown result in the backend.
 */
export type EntryState = 'unsent' | 'taken' | 'accepted' | 'doubt'

/**
 * The server's row of an object with undecided changes, stored with the first of them. `dead`: removed on the server; the attributes are the last known ones.
 */
export interface StoredServerRow {
  /** 0: unknown. Negative: the version that the row had under a former client id; the server does not know that the device has it. */
  readonly version: number
  readonly pass: number
  readonly dead: boolean
  /** Null if they follow from this change: `was` of a delete, otherwise the visible row with this change undone. */
  readonly attributes: Attributes | null
}

/** An undecided change of one object. */
export interface OutboxEntry {
  /** Position in the order of creation. */
  readonly entry: number
  readonly model: string
  readonly object: ObjectId
  readonly operation: Operation
  /** create: all attributes. update: changed ones, `null` removes. delete: none. */
  readonly attributes: Attributes
  /** update: the former values of the changed attributes. delete: all attributes of the object. */
  readonly was: Attributes
  /** The version of the server's row on which the change was made. */
  readonly seen: number | null
  /** The mutation's key, set with the first request; from then on the content is fixed. */
  readonly key: string | null
  readonly number: number | null
  readonly state: EntryState
  /** True if the change may have been in a request under another client id or epoch. */
  readonly sent: boolean
  /** All attributes, for a `full_update` that has been in a request. */
  readonly whole: Attributes | null
  /** The entry of the object's first undecided change; null if it is this one. */
  readonly first: number | null
  /** In the first entry, the server's row; null if it has none. */
  readonly serverRow: StoredServerRow | null
}

/** The position of an entry among those of its object. */
export interface EntryPosition extends Pick<OutboxEntry, 'first' | 'serverRow'> {
  /** In the first entry: true if the app sees no row that could refer to it. */
  readonly hidden: boolean
}

/** A new outbox entry: unsent, without a key. */
export type NewEntry = Pick<
  OutboxEntry,
  'entry' | 'model' | 'object' | 'operation' | 'attributes' | 'was' | 'seen' | 'serverRow'
>

/** A new create entry; its other columns have constant values. */
export type NewCreate = Pick<OutboxEntry, 'entry' | 'model' | 'object' | 'attributes'>

/** The columns that `entryOf` reads, in order. */
export const COLUMNS =
  'entry, model, object, operation, attributes, was, seen, "key", number, state, sent, whole, first, version, pass, dead, beneath'

// Reads columns by position, because access by name costs more than reading the row.
export function entryOf(row: readonly SqlValue[]): OutboxEntry {
  const [entry, model, object, operation, attributes, was, seen, key, number, state, sent, whole, first] = row
  return {
    entry: entry as number,
    model: model as string,
    object: object as string,
    operation: operation as Operation,
    attributes: parseAttributes(attributes as string),
    was: withoutNulls(parseAttributes(was as string)),
    seen: seen as number | null,
    key: key as string | null,
    number: number as number | null,
    state: state as EntryState,
    sent: sent === 1,
    whole: textOrNull(whole),
    first: first as number | null,
    serverRow: serverRowOf(row.slice(SERVER_ROW_COLUMN)),
  }
}

const SERVER_ROW_COLUMN = 13

function serverRowOf([version, pass, dead, attributes]: readonly SqlValue[]): StoredServerRow | null {
  if (version === null) return null
  return { version: version as number, pass: pass as number, dead: dead === 1, attributes: textOrNull(attributes) }
}

const textOrNull = (text: SqlValue | undefined): Attributes | null =>
  typeof text === 'string' ? parseAttributes(text) : null

/** Returns the cells in column order: version, pass, dead, beneath. */
export const serverRowCells = (serverRow: StoredServerRow | null): readonly SqlValue[] => {
  if (serverRow === null) return [null, null, null, null]
  const { version, pass, dead, attributes } = serverRow
  return [version, pass, dead ? 1 : 0, attributes === null ? null : JSON.stringify(attributes)]
}
