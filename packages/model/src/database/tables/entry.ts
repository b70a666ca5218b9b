import type { Attributes, ObjectId, Operation } from '@godwit/protocol'
import { parseAttributes, withoutNulls } from '../attributes.js'
import type { SqlValue } from '../driver.js'

/**
 * `unsent`: in no request since the numbering last started. `taken`: in a request whose answer is unknown. `accepted`: the server has it and has not
 * decided. `doubt`: accepted, and the server may never learn what the backend did.
 */
export type EntryState = 'unsent' | 'taken' | 'accepted' | 'doubt'

/** The server's row beneath undecided changes, stored with the first of them. `dead`: removed on the server; the attributes are the last known ones. */
export interface BeneathRow {
  readonly version: number
  readonly pass: number
  readonly dead: boolean
  /** Null: what the app sees with this change undone, if it is the only one. */
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
  /** update: the former values. delete: all of the object. */
  readonly was: Attributes
  /** The version of the server's row on which the change was made. */
  readonly seen: number | null
  /** Set with the first request, which fixes identity and content. */
  readonly key: string | null
  readonly number: number | null
  readonly state: EntryState
  /** True if it may have been in a request under another client id or epoch. */
  readonly sent: boolean
  /** All attributes, for a `full_update` in a request. */
  readonly whole: Attributes | null
  /** The first undecided change of the object; null if it is this one. */
  readonly first: number | null
  /** In the first entry: null if the server has no row. */
  readonly beneath: BeneathRow | null
}

/** The position of an entry among those of its object. */
export interface EntryPosition extends Pick<OutboxEntry, 'first' | 'beneath'> {
  /** In the first entry: true if the app sees no row that could refer to it. */
  readonly hidden: boolean
}

/** A new outbox entry: unsent, without a key. */
export type NewEntry = Pick<
  OutboxEntry,
  'entry' | 'model' | 'object' | 'operation' | 'attributes' | 'was' | 'seen' | 'beneath'
>

/** A new create entry; its other columns are equal for all creates. */
export type NewCreate = Pick<OutboxEntry, 'entry' | 'model' | 'object' | 'attributes'>

/** The columns that `entryOf` reads, in order. */
export const COLUMNS =
  'entry, model, object, operation, attributes, was, seen, "key", number, state, sent, whole, first, version, pass, dead, beneath'

// Positional, because naming the columns of a row costs more than reading it.
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
    beneath: beneathOf(row.slice(FIRST_BENEATH)),
  }
}

const FIRST_BENEATH = 13

function beneathOf([version, pass, dead, attributes]: readonly SqlValue[]): BeneathRow | null {
  if (version === null) return null
  return { version: version as number, pass: pass as number, dead: dead === 1, attributes: textOrNull(attributes) }
}

const textOrNull = (text: SqlValue | undefined): Attributes | null =>
  typeof text === 'string' ? parseAttributes(text) : null

/** The cells in column order: version, pass, dead, beneath. */
export const beneathCells = (beneath: BeneathRow | null): readonly SqlValue[] => {
  if (beneath === null) return [null, null, null, null]
  const { version, pass, dead, attributes } = beneath
  return [version, pass, dead ? 1 : 0, attributes === null ? null : JSON.stringify(attributes)]
}
