import type { Attributes, ObjectId, Operation } from '@godwit/protocol'
import { parseAttributes } from '../attributes.js'
import type { Database, Schema } from '../database.js'
import type { SqlValue, Statement } from '../driver.js'
import { type EntryNumbers, NEXT_ENTRY } from '../entry-numbers.js'
import { quote } from '../table-shape.js'

/**
 * `unsent`: in no request, or in none that counts since numbers began anew. `taken`: in a request whose answer is unknown.
 * `accepted`: the server has it, undecided; `doubt`: so, and it said that it may never know.
 */
export type EntryState = 'unsent' | 'taken' | 'accepted' | 'doubt'

/** An undecided change of one object. */
export interface Entry {
  /** Order of making, over all partitions. */
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
}

export type NewEntry = Pick<Entry, 'model' | 'object' | 'operation' | 'attributes' | 'was' | 'seen'>

/** An unsent delete, with the attributes that were as JSON text. */
export type NewDelete = Pick<Entry, 'model' | 'object' | 'seen'> & { readonly was: string }

const COLUMNS = 'entry, model, object, operation, attributes, was, seen, "key", number, state, sent, whole'

/** The outbox of one partition, in SQL; what the entries mean is said in outbox/. */
export class OutboxTable {
  readonly #sql: (text: string) => Statement
  readonly #insert: Statement
  readonly #any: Statement
  readonly #of: Statement
  readonly #numbers: EntryNumbers

  constructor(database: Database, schema: Schema, numbers: EntryNumbers) {
    this.#sql = database.over({ outbox: `${quote(schema)}.outbox` })
    this.#numbers = numbers
    this.#insert = this.#sql(
      `INSERT INTO $outbox (entry, model, object, operation, attributes, was, seen, state, sent) VALUES (ifnull(?, ${NEXT_ENTRY}), ?, ?, ?, ?, ?, ?, 'unsent', 0)`,
    )
    this.#any = this.#sql('SELECT 1 FROM $outbox WHERE model = ? AND object = ? LIMIT 1')
    this.#of = this.#sql(`SELECT ${COLUMNS} FROM $outbox WHERE model = ? AND object = ? ORDER BY entry`)
  }

  add({ model, object, operation, attributes, was, seen }: NewEntry): void {
    const texts = [JSON.stringify(attributes), JSON.stringify(was)] as const
    this.#insert.run(this.#numbers.next(), model, object, operation, ...texts, seen)
  }

  addDelete({ model, object, was, seen }: NewDelete): void {
    this.#insert.run(this.#numbers.next(), model, object, 'delete', '{}', was, seen)
  }

  /** The number of the entry that was added last. */
  last(): number {
    return this.#sql('SELECT max(entry) FROM $outbox').arrays()[0]?.[0] as number
  }

  has(model: string, object: ObjectId): boolean {
    return this.#any.get(model, object) !== undefined
  }

  hasAny(model: string): boolean {
    return this.#sql('SELECT 1 FROM $outbox WHERE model = ? LIMIT 1').get(model) !== undefined
  }

  /** Whether a request could be made, as far as that can be told without looking at owners. */
  hasToSend(model: string): boolean {
    const sql = `SELECT 1 FROM $outbox WHERE model = ? AND state IN ('unsent', 'taken') LIMIT 1`
    return this.#sql(sql).get(model) !== undefined
  }

  count(model: string): number {
    return this.#sql('SELECT count(*) AS count FROM $outbox WHERE model = ?').get(model)?.['count'] as number
  }

  isEmpty(): boolean {
    return this.#sql('SELECT 1 FROM $outbox LIMIT 1').get() === undefined
  }

  all(): readonly Entry[] {
    return this.#sql(`SELECT ${COLUMNS} FROM $outbox ORDER BY entry`).arrays().map(entryOf)
  }

  /** In order. */
  of(model: string, object: ObjectId): readonly Entry[] {
    // Most objects have none, and better-sqlite3 takes its time to prepare for many columns.
    return this.has(model, object) ? this.#of.arrays(model, object).map(entryOf) : []
  }

  get(entry: number): Entry | undefined {
    return one(this.#sql(`SELECT ${COLUMNS} FROM $outbox WHERE entry = ?`).arrays(entry))
  }

  numbered(model: string, number: number): Entry | undefined {
    return one(this.#sql(`SELECT ${COLUMNS} FROM $outbox WHERE model = ? AND number = ?`).arrays(model, number))
  }

  inState(model: string, state: EntryState, page: { after: number; limit: number }): readonly Entry[] {
    const sql = `SELECT ${COLUMNS} FROM $outbox WHERE model = ? AND state = ? AND entry > ? ORDER BY entry LIMIT ?`
    return this.#sql(sql).arrays(model, state, page.after, page.limit).map(entryOf)
  }

  /** Of those that the server has and has not decided, the one with the highest number. */
  lastAccepted(model: string): Entry | undefined {
    const sql = `SELECT ${COLUMNS} FROM $outbox WHERE model = ? AND state IN ('accepted', 'doubt') ORDER BY number DESC LIMIT 1`
    return one(this.#sql(sql).arrays(model))
  }

  /** The undecided create of a temporary id. */
  createOf(model: string, object: ObjectId): Entry | undefined {
    return one(
      this.#sql(
        `SELECT ${COLUMNS} FROM $outbox WHERE model = ? AND object = ? AND operation = 'create' LIMIT 1`,
      ).arrays(model, object),
    )
  }

  objects(model: string): readonly ObjectId[] {
    return this.#sql('SELECT DISTINCT object FROM $outbox WHERE model = ?')
      .arrays(model)
      .map(([object]) => object as string)
  }

  change(entry: number, changes: Partial<Omit<Entry, 'entry' | 'model'>>): void {
    const names = Object.keys(changes) as (keyof typeof changes)[]
    const sql = `UPDATE $outbox SET ${names.map(name => `"${name}" = ?`).join(', ')} WHERE entry = ?`
    this.#sql(sql).run(...names.map(name => cellOf(changes[name])), entry)
  }

  /** Numbers begin anew; keys and contents stay. */
  startOver(model: string): void {
    const sql = `UPDATE $outbox SET seen = NULL, number = NULL, state = 'unsent', sent = CASE WHEN "key" IS NULL THEN 0 ELSE 1 END WHERE model = ?`
    this.#sql(sql).run(model)
  }

  remove(entry: number): void {
    this.#sql('DELETE FROM $outbox WHERE entry = ?').run(entry)
  }

  clear(model: string): void {
    this.#sql('DELETE FROM $outbox WHERE model = ?').run(model)
  }
}

const cellOf = (value: unknown): SqlValue => {
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as SqlValue)
}

const one = (rows: readonly (readonly SqlValue[])[]): Entry | undefined => rows[0] && entryOf(rows[0])

// By place: to name the columns of a row costs more than to read it.
function entryOf(row: readonly SqlValue[]): Entry {
  const [entry, model, object, operation, attributes, was, seen, key, number, state, sent, whole] = row
  return {
    entry: entry as number,
    model: model as string,
    object: object as string,
    operation: operation as Operation,
    attributes: parseAttributes(attributes as string),
    was: parseAttributes(was as string),
    seen: seen as number | null,
    key: key as string | null,
    number: number as number | null,
    state: state as EntryState,
    sent: sent === 1,
    whole: typeof whole === 'string' ? parseAttributes(whole) : null,
  }
}
