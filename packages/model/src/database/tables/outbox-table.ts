import type { ObjectId } from '@godwit/protocol'
import { quote } from '../../columns/table-shape.js'
import type { SqlValue, Statement } from '../../platform/driver.js'
import type { DeviceDatabase } from '../database.js'
import type { EntryNumbers } from '../entry-numbers.js'
import type { SchemaName } from '../files.js'
import type { ModelsToSend } from '../models-to-send.js'
import { EntryCount } from './entry-count.js'
import {
  COLUMNS,
  type EntryPosition,
  type EntryState,
  entryOf,
  type NewCreate,
  type NewEntry,
  type OutboxEntry,
  serverRowCells,
} from './outbox-entry.js'

/** The SQL of a partition's outbox table. The folder outbox/ defines its semantics. */
export class OutboxTable {
  /** The table's name, quoted, with its schema. */
  readonly table: string
  readonly #sql: (text: string) => Statement
  readonly #insert: Statement
  readonly #insertCreate: Statement
  readonly #from: Statement
  readonly #hidden: Statement
  readonly #numbers: EntryNumbers
  readonly #count: EntryCount
  readonly #schema: SchemaName
  readonly #outgoing: ModelsToSend

  constructor(database: DeviceDatabase, schema: SchemaName, numbers: EntryNumbers, outgoing: ModelsToSend) {
    this.table = `${quote(schema)}.outbox`
    this.#sql = database.over({ outbox: this.table, route: `${quote(schema)}.route` })
    this.#numbers = numbers
    this.#count = new EntryCount(database, schema)
    this.#schema = schema
    this.#outgoing = outgoing
    this.#insert = this.#sql(
      `INSERT INTO $outbox (entry, model, object, operation, attributes, was, seen, state, sent, hidden, version, pass, dead, beneath) VALUES (?, ?, ?, ?, ?, ?, ?, 'unsent', 0, ?, ?, ?, ?, ?)`,
    )
    // Constants instead of bound values, because thousands of creates can be added together.
    this.#insertCreate = this.#sql(
      `INSERT INTO $outbox (entry, model, object, operation, attributes, was, state, sent) VALUES (?, ?, ?, 'create', ?, '{}', 'unsent', 0)`,
    )
    this.#from = this.#sql(
      `SELECT ${COLUMNS} FROM $outbox WHERE (entry = ? OR first = ?) AND model = ? AND object = ? ORDER BY entry`,
    )
    this.#hidden = this.#sql('SELECT entry FROM $outbox WHERE hidden = 1 AND model = ? AND object = ?')
  }

  /**
   * Returns the number of the next entry, or the first of `count`. `aboveAll`: above the entries of all partitions, for models that refer to others.
   */
  next(naming: { readonly aboveAll: boolean }, count = 1): number {
    return this.#numbers.next(this.#schema, naming, count)
  }

  /** Reports, in the open transaction, that a model has new changes to send. */
  wrote(model: string): void {
    this.#outgoing.add(model)
  }

  /** Adds an unsent change; a delete hides its object. */
  add({ entry, model, object, operation, attributes, was, seen, serverRow }: NewEntry): void {
    const texts = [JSON.stringify(attributes), JSON.stringify(was)] as const
    const isHidden = operation === 'delete' ? 1 : 0
    this.wrote(model)
    this.#insert.run(entry, model, object, operation, ...texts, seen, isHidden, ...serverRowCells(serverRow))
    this.#count.added(entry)
  }

  /** Adds the create of an object that has no row on the server. */
  addCreate({ entry, model, object, attributes }: NewCreate): void {
    this.wrote(model)
    this.#insertCreate.run(entry, model, object, JSON.stringify(attributes))
    this.#count.added(entry)
  }

  /** Updates the entry count. Call it after other statements have added entries up to this one. */
  addedThrough(entry: number): void {
    this.#count.addedThrough(entry)
  }

  /** Returns the first undecided change of an object without a visible row; null if there is none. */
  hidden(model: string, object: ObjectId): number | null {
    return (this.#hidden.arrays(model, object)[0]?.[0] as number | undefined) ?? null
  }

  /** Returns the undecided changes of an object in order. `first` is its first entry. */
  from(first: number, model: string, object: ObjectId): readonly OutboxEntry[] {
    return this.#from.arrays(first, first, model, object).map(entryOf)
  }

  place(entry: number, { first, hidden, serverRow }: EntryPosition): void {
    const sql = 'UPDATE $outbox SET first = ?, hidden = ?, version = ?, pass = ?, dead = ?, beneath = ? WHERE entry = ?'
    this.#sql(sql).run(first, hidden ? 1 : 0, ...serverRowCells(serverRow), entry)
  }

  hasAny(model: string): boolean {
    return this.#sql('SELECT 1 FROM $outbox WHERE model = ? LIMIT 1').get(model) !== undefined
  }

  hasCreates(model: string): boolean {
    const sql = `SELECT 1 FROM $outbox WHERE model = ? AND operation = 'create' LIMIT 1`
    return this.#sql(sql).get(model) !== undefined
  }

  makes(model: string, object: ObjectId): boolean {
    const sql = `SELECT 1 FROM $outbox WHERE model = ? AND object = ? AND operation = 'create' LIMIT 1`
    return this.#sql(sql).get(model, object) !== undefined
  }

  /** Returns true if there are entries to send, without checking owners. */
  hasToSend(model: string): boolean {
    const sql = `SELECT 1 FROM $outbox WHERE model = ? AND state IN ('unsent', 'taken') LIMIT 1`
    return this.#sql(sql).get(model) !== undefined
  }

  countToSend(model: string): number {
    const sql = `SELECT count(*) FROM $outbox WHERE model = ? AND state IN ('unsent', 'taken')`
    return this.#sql(sql).arrays(model)[0]?.[0] as number
  }

  count(): number {
    return this.#count.get()
  }

  all(): readonly OutboxEntry[] {
    return this.#sql(`SELECT ${COLUMNS} FROM $outbox ORDER BY entry`).arrays().map(entryOf)
  }

  ofModel(model: string): readonly OutboxEntry[] {
    return this.#sql(`SELECT ${COLUMNS} FROM $outbox WHERE model = ? ORDER BY entry`).arrays(model).map(entryOf)
  }

  get(entry: number): OutboxEntry | undefined {
    return firstEntry(this.#sql(`SELECT ${COLUMNS} FROM $outbox WHERE entry = ?`).arrays(entry))
  }

  numbered(model: string, number: number): OutboxEntry | undefined {
    return firstEntry(this.#sql(`SELECT ${COLUMNS} FROM $outbox WHERE model = ? AND number = ?`).arrays(model, number))
  }

  /** Returns the entry with a number of a copy. */
  numberedIn(copy: number, number: number): OutboxEntry | undefined {
    const isOfCopy = 'entry IN (SELECT entry FROM $route WHERE copy = ?)'
    return firstEntry(this.#sql(`SELECT ${COLUMNS} FROM $outbox WHERE number = ? AND ${isOfCopy}`).arrays(number, copy))
  }

  /** Returns the entries with numbers of a copy, in their order. */
  numberedOf(copy: number): readonly OutboxEntry[] {
    const isOfCopy = 'entry IN (SELECT entry FROM $route WHERE copy = ?)'
    const sql = `SELECT ${COLUMNS} FROM $outbox WHERE number IS NOT NULL AND ${isOfCopy} ORDER BY number`
    return this.#sql(sql).arrays(copy).map(entryOf)
  }

  inState(model: string, state: EntryState, page: { after: number; limit: number }): readonly OutboxEntry[] {
    const sql = `SELECT ${COLUMNS} FROM $outbox WHERE model = ? AND state = ? AND entry > ? ORDER BY entry LIMIT ?`
    return this.#sql(sql).arrays(model, state, page.after, page.limit).map(entryOf)
  }

  /** Returns the entry with the highest number that is accepted and not decided. */
  lastAccepted(model: string): OutboxEntry | undefined {
    const sql = `SELECT ${COLUMNS} FROM $outbox WHERE model = ? AND state IN ('accepted', 'doubt') ORDER BY number DESC LIMIT 1`
    return firstEntry(this.#sql(sql).arrays(model))
  }

  objects(model: string): readonly ObjectId[] {
    return this.#sql('SELECT DISTINCT object FROM $outbox WHERE model = ?')
      .arrays(model)
      .map(([object]) => object as string)
  }

  change(entry: number, changes: Partial<Omit<OutboxEntry, 'entry' | 'model' | 'first' | 'serverRow'>>): void {
    const names = Object.keys(changes) as (keyof typeof changes)[]
    const sql = `UPDATE $outbox SET ${names.map(name => `"${name}" = ?`).join(', ')} WHERE entry = ?`
    this.#sql(sql).run(...names.map(name => cellOf(changes[name])), entry)
  }

  /**
   * Restarts the numbering: marks all entries unsent and voids the versions of the server's rows, which become negative in the same epoch and 0 in
   * another one. Keys and contents are kept.
   */
  startOver(model: string, { isSameEpoch }: { readonly isSameEpoch: boolean }): void {
    const sql = `UPDATE $outbox SET seen = NULL, number = NULL, version = -abs(version) * ?, state = 'unsent', sent = CASE WHEN "key" IS NULL THEN 0 ELSE 1 END WHERE model = ?`
    this.#sql(sql).run(isSameEpoch ? 1 : 0, model)
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

const firstEntry = (rows: readonly (readonly SqlValue[])[]): OutboxEntry | undefined => rows[0] && entryOf(rows[0])
