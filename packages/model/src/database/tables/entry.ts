import type { Attributes, ObjectId, Operation } from '@godwit/protocol'
import { parseAttributes, withoutNulls } from '../attributes.js'
import type { SqlValue } from '../driver.js'

/**
 * `unsent`: in no request since the numbering last started. `taken`: in a request whose answer is unknown.
 * `accepted`: the server has it and has not decided. `doubt`: likewise, and the server may never know what the backend did.
 */
export type EntryState = 'unsent' | 'taken' | 'accepted' | 'doubt'

/** The server's row beneath undecided changes, as the first of them keeps it. `dead`: removed there; its attributes are the last that were known. */
export interface BeneathRow {
  readonly version: number
  readonly pass: number
  readonly dead: boolean
  /** Null: what the app sees with this change undone, which is the only one. */
  readonly attributes: Attributes | null
}

/** An undecided change of one object. */
export interface OutboxEntry {
  /** Order of making. */
  readonly entry: number
  readonly model: string
  readonly object: ObjectId
  readonly operation: Operation
  /** create: all attributes. update: those that change, `null` removes. delete: none. */
  readonly attributes: Attributes
  /** update: what these were. delete: all of the object. */
  readonly was: Attributes
  /** The version of the server's row that it was made on. */
  readonly seen: number | null
  /** Set with the first request: identity and content are fixed from then on. */
  readonly key: string | null
  readonly number: number | null
  readonly state: EntryState
  /** It may have been in a request under another client id or epoch. */
  readonly sent: boolean
  /** Of a `full_update` in a request: all attributes. */
  readonly whole: Attributes | null
  /** The first undecided change of the object; null: it is this one. */
  readonly first: number | null
  /** Of the first: null where the server has no row. */
  readonly beneath: BeneathRow | null
}

/** Where an entry stands among those of its object. */
export interface EntryPosition extends Pick<OutboxEntry, 'first' | 'beneath'> {
  /** Of the first: the app sees no row, which would name it. */
  readonly hidden: boolean
}

/** A change as it is added to the outbox: not sent, and without a key. */
export type NewEntry = Pick<
  OutboxEntry,
  'entry' | 'model' | 'object' | 'operation' | 'attributes' | 'was' | 'seen' | 'beneath'
>

/** A create as it is added to the outbox; its other columns are the same for every create. */
export type NewCreate = Pick<OutboxEntry, 'entry' | 'model' | 'object' | 'attributes'>

/** What `entryOf` reads, in this order. */
export const COLUMNS =
  'entry, model, object, operation, attributes, was, seen, "key", number, state, sent, whole, first, version, pass, dead, beneath'

// By place: to name the columns of a row costs more than to read it.
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

/** In the order of the columns: version, pass, dead, beneath. */
export const beneathCells = (beneath: BeneathRow | null): readonly SqlValue[] => {
  if (beneath === null) return [null, null, null, null]
  const { version, pass, dead, attributes } = beneath
  return [version, pass, dead ? 1 : 0, attributes === null ? null : JSON.stringify(attributes)]
}
