import type { Attributes, ObjectId, Operation } from '@godwit/protocol'
import { parseAttributes } from '../attributes.js'
import { type Database, SCHEMAS, type Schema } from '../database.js'
import type { SqlRow, SqlValue, Statement } from '../driver.js'
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

const COLUMNS = 'entry, model, object, operation, attributes, was, seen, "key", number, state, sent, whole'

/** The outbox of one partition, in SQL; what the entries mean is said in outbox/. */
export class OutboxTable {
  readonly #sql: (text: string) => Statement
  readonly #insert: Statement
  readonly #any: Statement
  readonly #of: Statement

  constructor(database: Database, schema: Schema) {
    this.#sql = text => database.prepare(text.replace('$outbox', () => `${quote(schema)}.outbox`))
    const highest = SCHEMAS.map(name => `ifnull((SELECT max(entry) FROM ${quote(name)}.outbox), 0)`)
    this.#insert = this.#sql(
      `INSERT INTO $outbox (entry, model, object, operation, attributes, was, seen, state, sent) VALUES (1 + max(${highest.join(', ')}), ?, ?, ?, ?, ?, ?, 'unsent', 0) RETURNING entry`,
    )
    this.#any = this.#sql('SELECT 1 FROM $outbox WHERE model = ? AND object = ? LIMIT 1')
    this.#of = this.#sql(`SELECT ${COLUMNS} FROM $outbox WHERE model = ? AND object = ? ORDER BY entry`)
  }

  /** The number of the new entry. */
  add({ model, object, operation, attributes, was, seen }: NewEntry): number {
    return this.#insert.get(model, object, operation, JSON.stringify(attributes), JSON.stringify(was), seen)?.[
      'entry'
    ] as number
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
    return this.#sql(`SELECT ${COLUMNS} FROM $outbox ORDER BY entry`).all().map(entryOf)
  }

  /** In order. */
  of(model: string, object: ObjectId): readonly Entry[] {
    return this.#of.all(model, object).map(entryOf)
  }

  get(entry: number): Entry | undefined {
    return one(this.#sql(`SELECT ${COLUMNS} FROM $outbox WHERE entry = ?`).get(entry))
  }

  numbered(model: string, number: number): Entry | undefined {
    return one(this.#sql(`SELECT ${COLUMNS} FROM $outbox WHERE model = ? AND number = ?`).get(model, number))
  }

  inState(model: string, state: EntryState, page: { after: number; limit: number }): readonly Entry[] {
    const sql = `SELECT ${COLUMNS} FROM $outbox WHERE model = ? AND state = ? AND entry > ? ORDER BY entry LIMIT ?`
    return this.#sql(sql).all(model, state, page.after, page.limit).map(entryOf)
  }

  /** The undecided create of a temporary id. */
  createOf(model: string, object: ObjectId): Entry | undefined {
    return one(
      this.#sql(`SELECT ${COLUMNS} FROM $outbox WHERE model = ? AND object = ? AND operation = 'create' LIMIT 1`).get(
        model,
        object,
      ),
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

  /** The server may have forgotten what it accepted: it is sent again. */
  takeAgain(model: string): void {
    this.#sql(`UPDATE $outbox SET state = 'taken' WHERE model = ? AND state IN ('accepted', 'doubt')`).run(model)
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

const one = (row: SqlRow | undefined): Entry | undefined => row && entryOf(row)

function entryOf(row: SqlRow): Entry {
  const { attributes, was, whole, sent, ...rest } = row as Record<string, string> & SqlRow
  return {
    ...(rest as unknown as Omit<Entry, 'attributes' | 'was' | 'whole' | 'sent'>),
    attributes: parseAttributes(attributes as string),
    was: parseAttributes(was as string),
    whole: typeof whole === 'string' ? parseAttributes(whole) : null,
    sent: (sent as SqlValue) === 1,
  }
}
