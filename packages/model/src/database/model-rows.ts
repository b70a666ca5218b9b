import type { Attributes, ObjectId } from '@godwit/protocol'
import { pathOf, valueExpression } from '../columns/column-sql.js'
import { type DisplayedCodec, displayedCodec } from '../columns/displayed-codec.js'
import { type RowCodec, rowCodec } from '../columns/row-codec.js'
import { column, columnAttributes, REST, type TableShape } from '../columns/table-shape.js'
import type { Definition } from '../definition/definition.js'
import type { RowWatch } from '../live/write-listeners.js'
import type { SqlValue, Statement } from '../platform/driver.js'
import type { DeviceDatabase } from './database.js'
import type { CopiedObject } from './tables/membership-table.js'
import type { TextIndex } from './text-index.js'

/** A row of a model's table. `version` is 0 if the row is not from the server; `pass` is 0 if no pass delivered it. */
export interface NewRow {
  readonly version: number
  readonly pass: number
  readonly attributes: Attributes
  /** The outbox entry of the object's first undecided change. Default: none. */
  readonly entry?: number | null
  /** The leading copy, of a model with `by`. Default: `insert` stores none, and `update` does not change it. */
  readonly copy?: number | null
}

export type StoredRow = Required<Omit<NewRow, 'copy'>> & Pick<NewRow, 'copy'>

/** The pass number of rows found by search. They have no version, and a resync never removes them. */
export const SEARCH_PASS = -1

/** Passes up to this one are those of visitors: rows that moved to a copy which has not delivered them yet. */
const LAST_VISITOR_PASS = -2

/** Returns the pass that a visitor's row stores. `pass`: the copy's running or last pass when it came. */
export const visitorPass = (pass: number): number => LAST_VISITOR_PASS - pass

/** Returns the pass of the copy when a visitor came; undefined if the row is none. */
export const passOfVisitor = (pass: number): number | undefined =>
  pass <= LAST_VISITOR_PASS ? LAST_VISITOR_PASS - pass : undefined

/** A range of ids: above `after`, up to and including `through` (null: to the end), at most `limit`. */
export interface IdRange {
  readonly after: ObjectId
  readonly through: ObjectId | null
  readonly limit: number
}

/** A range of `seq`: above `after`, up to and including `through`. */
export interface SeqRange {
  readonly after: number
  readonly through: number
}

/** Size of a range of `seq` that is read at a time. */
const ROWS_PER_RANGE = 1000

/** Maximum number of changed columns for which an update has its own statement; larger updates share one that writes all columns. */
const MAX_SEPARATE_COLUMNS = 3

const UNOBSERVED: RowWatch = { touch() {}, touchEach() {}, touchAll() {} }

interface ModelRowsOptions {
  /** The app's definition, if it differs from the definition of the table. */
  readonly app?: Definition
  readonly watch?: RowWatch
  readonly text?: Pick<TextIndex, 'clear'> | undefined
  /** Called for values of new rows that do not match their types. */
  readonly onInvalidValue?: (attribute: string) => void
}

/** The table of one model, with the rows that the app sees. It is independent of the outbox. */
export class ModelRows {
  readonly codec: RowCodec
  readonly #watch: RowWatch
  readonly #text: Pick<TextIndex, 'clear'> | undefined
  readonly #onInvalidValue: ((attribute: string) => void) | undefined
  readonly #sql: (text: string) => Statement
  readonly #declared: readonly string[]
  readonly #isCopied: boolean
  readonly #term: (attribute: string) => string
  readonly #insert: Statement
  readonly #update: Statement
  readonly #updates = new Map<string, Statement>()
  readonly #get: Statement
  readonly #displayed: { readonly codec: DisplayedCodec; readonly get: Statement } | undefined
  readonly #stamp: Statement

  constructor(
    database: DeviceDatabase,
    { table, definition }: TableShape,
    { watch = UNOBSERVED, text, app = definition, onInvalidValue }: ModelRowsOptions = {},
  ) {
    this.#onInvalidValue = onInvalidValue
    this.#watch = watch
    this.#text = text
    this.codec = rowCodec(definition)
    const { columns } = this.codec
    this.#isCopied = definition.by !== undefined
    const copy = this.#isCopied ? ', copy' : ''
    this.#declared = columnAttributes(definition).map(({ name }) => name)
    this.#term = attribute => valueExpression(definition, attribute)
    this.#sql = database.over({ table })
    this.#insert = this.#sql(
      `INSERT INTO $table (${columns.map(name => `${name}, `).join('')}object, version, pass, entry${copy}) VALUES (${'?, '.repeat(columns.length)}?, ?, ?, ?${copy && ', ?'}) ON CONFLICT (object) DO NOTHING`,
    )
    this.#update = this.#sql(
      `UPDATE $table SET ${columns.map(name => `${name} = ?, `).join('')}version = ?, pass = ?, entry = ? WHERE object = ?`,
    )
    this.#get = this.#sql(
      `SELECT version, pass, entry${copy}${columns.map(name => `, ${name}`).join('')} FROM $table WHERE object = ?`,
    )
    if (app.typed) {
      const displayed = displayedCodec(app)
      const selected = ['"object"', ...displayed.columns].join(', ')
      this.#displayed = { codec: displayed, get: this.#sql(`SELECT ${selected} FROM $table WHERE object = ?`) }
    }
    this.#stamp = this.#sql(`SELECT version, pass, entry${copy} FROM $table WHERE object = ?`)
  }

  /** Inserts a row. Returns false without changes if the object has one. */
  insert(object: ObjectId, { version, pass, attributes, entry = null, copy = null }: NewRow): boolean {
    this.#watch.touch(object)
    const cells = [object, version, pass, entry, ...(this.#isCopied ? [copy] : [])]
    return this.#insert.run(...this.codec.encode(attributes, cells, this.#onInvalidValue)) > 0
  }

  /** Updates a row, which keeps its `seq`. Returns false if there is none. */
  update(object: ObjectId, { version, pass, attributes, entry = null, copy }: NewRow): boolean {
    this.#watch.touch(object)
    if (this.#isCopied && copy !== undefined)
      this.#sql('UPDATE $table SET copy = ? WHERE object = ? AND copy IS NOT ?').run(copy, object, copy)
    return this.#update.run(...this.codec.encode(attributes, [version, pass, entry, object])) > 0
  }

  /** Like `update`, if only these attributes differ: indexes of other columns are not written. */
  updateSome(object: ObjectId, row: NewRow, names: readonly string[]): boolean {
    if (names.length > MAX_SEPARATE_COLUMNS) return this.update(object, row)
    this.#watch.touch(object)
    const values = this.codec.encode(row.attributes)
    const places = this.codec.changed(names)
    const cells = places.map(place => values[place] as SqlValue)
    return this.#updateOf(places).run(row.version, row.pass, row.entry ?? null, ...cells, object) > 0
  }

  /** Returns the statement that writes only these columns. */
  #updateOf(places: readonly number[]): Statement {
    const key = places.join()
    const known = this.#updates.get(key)
    if (known) return known
    const columns = places.map(place => `, ${this.codec.columns[place]} = ?`)
    const sql = `UPDATE $table SET version = ?, pass = ?, entry = ?${columns.join('')} WHERE object = ?`
    const statement = this.#sql(sql)
    this.#updates.set(key, statement)
    return statement
  }

  put(object: ObjectId, row: NewRow): void {
    if (!this.update(object, row)) this.insert(object, row)
  }

  get(object: ObjectId): StoredRow | undefined {
    const row = this.#get.arrays(object)[0]
    if (!row) return undefined
    const attributes = this.codec.decode(row, this.#isCopied ? 4 : 3)
    return { ...this.#stampOf(row), attributes }
  }

  /** Returns the attributes as the app sees them; undefined if there is no such row, or the model is untyped. */
  displayedAttributes(object: ObjectId): Attributes | undefined {
    const row = this.#displayed?.get.arrays(object)[0]
    return row && this.#displayed?.codec.decode(row, 1)
  }

  /** Returns the row without its attributes. */
  stamp(object: ObjectId): Omit<StoredRow, 'attributes'> | undefined {
    const row = this.#stamp.arrays(object)[0]
    return row && this.#stampOf(row)
  }

  #stampOf([version, pass, entry, copy]: readonly SqlValue[]): Omit<StoredRow, 'attributes'> {
    return {
      version: version as number,
      pass: pass as number,
      entry: entry as number | null,
      ...(this.#isCopied && { copy: copy as number | null }),
    }
  }

  /** Returns the unchanged rows that a copy leads. */
  ledBy(copy: number): readonly CopiedObject[] {
    const sql = 'SELECT object, version, pass FROM $table WHERE copy = ? AND entry IS NULL'
    return this.#sql(sql).arrays(copy) as unknown as readonly CopiedObject[]
  }

  /** Returns the visible objects that a copy leads and that have undecided changes. */
  changedLedBy(copy: number): readonly ObjectId[] {
    const rows = this.#sql('SELECT object FROM $table WHERE copy = ? AND entry IS NOT NULL').arrays(copy)
    return rows.map(([object]) => object as ObjectId)
  }

  /** Returns the unchanged rows that a copy leads as visitors. */
  visitorsOf(copy: number): readonly CopiedObject[] {
    const sql = 'SELECT object, version, pass FROM $table WHERE copy = ? AND pass < -1 AND entry IS NULL'
    return this.#sql(sql).arrays(copy) as unknown as readonly CopiedObject[]
  }

  /** Returns the number of rows that a copy leads. */
  countLedBy(copy: number): number {
    return this.#sql('SELECT count(*) FROM $table WHERE copy = ?').arrays(copy)[0]?.[0] as number
  }

  /** Returns the number of rows that a copy leads, and about how many bytes their values have. */
  sizeOf(copy: number): { readonly rows: number; readonly bytes: number } {
    const lengths = this.codec.columns.map(name => `ifnull(length(${name}), 0)`).join(' + ')
    const row = this.#sql(`SELECT count(*), total(${lengths}) FROM $table WHERE copy = ?`).arrays(copy)[0]
    return { rows: row?.[0] as number, bytes: row?.[1] as number }
  }

  /** Makes the versions of a copy's rows unknown. */
  voidVersionsOf(copy: number): void {
    this.#sql('UPDATE $table SET version = 0 WHERE copy = ? AND version <> 0').run(copy)
  }

  /** Returns the highest `seq`; new rows get a higher one. */
  lastSeq(): number {
    return (this.#sql('SELECT max(seq) FROM $table').arrays()[0]?.[0] ?? 0) as number
  }

  /** Iterates over ranges after `after` until `isOver` returns true. Returns the `seq` to continue after; undefined at the end. */
  eachRange(after: number, isOver: () => boolean, use: (range: SeqRange) => void): number | undefined {
    const last = this.lastSeq()
    for (let seq = after; seq < last; seq += ROWS_PER_RANGE) {
      if (seq > after && isOver()) return seq
      use({ after: seq, through: seq + ROWS_PER_RANGE })
    }
    return undefined
  }

  count(): number {
    return this.#sql('SELECT count(*) FROM $table').arrays()[0]?.[0] as number
  }

  remove(object: ObjectId): boolean {
    this.#watch.touch(object)
    return this.#sql('DELETE FROM $table WHERE object = ?').run(object) > 0
  }

  /** Removes the rows whose `seq` is in a JSON list, and returns their number. */
  removeAll(seqs: string): number {
    const listed = 'FROM $table WHERE seq IN (SELECT value FROM json_each(?))'
    this.#watch.touchEach(() =>
      this.#sql(`SELECT object ${listed}`)
        .arrays(seqs)
        .map(([object]) => object as ObjectId),
    )
    return this.#sql(`DELETE ${listed}`).run(seqs)
  }

  rename(object: ObjectId, to: ObjectId): void {
    this.#watch.touch(object)
    this.#watch.touch(to)
    this.#sql('UPDATE $table SET object = ? WHERE object = ?').run(to, object)
  }

  /** Returns the ids of rows found by search that the app has not changed. */
  found(): readonly ObjectId[] {
    return this.#sql('SELECT object FROM $table WHERE pass = ?')
      .arrays(SEARCH_PASS)
      .map(([object]) => object as ObjectId)
  }

  /** Returns unchanged rows of other passes, with their versions; without rows found by search. */
  ofOtherPasses(pass: number, { after, through }: SeqRange): readonly (readonly [object: ObjectId, version: number])[] {
    const sql = 'SELECT object, version FROM $table WHERE seq > ? AND seq <= ? AND entry IS NULL AND pass NOT IN (?, ?)'
    const rows = this.#sql(sql).arrays(after, through, pass, SEARCH_PASS)
    return rows as unknown as readonly (readonly [ObjectId, number])[]
  }

  /** Returns the ids of rows above a version. */
  above(version: number, { after, through }: SeqRange): readonly ObjectId[] {
    const sql = 'SELECT object FROM $table WHERE seq > ? AND seq <= ? AND version > ?'
    const rows = this.#sql(sql).arrays(after, through, version)
    return rows.map(([object]) => object as ObjectId)
  }

  /** Returns the rows from the server with their versions, in order of ids. */
  ofServer({ after, through, limit }: IdRange): readonly (readonly [object: ObjectId, version: number])[] {
    const rows = this.#sql(
      `SELECT object, version FROM $table WHERE version > 0 AND object > ? AND (? IS NULL OR object <= ?) ORDER BY object LIMIT ?`,
    ).arrays(after, through, through, limit)
    return rows as unknown as readonly (readonly [ObjectId, number])[]
  }

  /** Replaces a text value of an attribute in every row. */
  replaceValue(attribute: string, from: string, to: string): void {
    const rows = this.#sql(`SELECT object FROM $table WHERE ${this.#term(attribute)} = ?`).arrays(from)
    for (const [object] of rows) {
      const row = this.get(object as ObjectId)
      if (row?.attributes[attribute] === from)
        this.update(object as ObjectId, { ...row, attributes: { ...row.attributes, [attribute]: to } })
    }
  }

  /** Returns the distinct values of an attribute, as text. */
  valuesOf(attribute: string): readonly string[] {
    const term = this.#term(attribute)
    const rows = this.#sql(`SELECT DISTINCT ${term} FROM $table WHERE ${term} IS NOT NULL`).arrays()
    return rows.map(([value]) => String(value))
  }

  /** Returns the unchanged rows from the server that have the attribute, with its value. */
  having(attribute: string): readonly (readonly [object: ObjectId, value: string])[] {
    const term = this.#term(attribute)
    const rows = this.#sql(
      `SELECT object, ${term} FROM $table WHERE version > 0 AND entry IS NULL AND ${term} IS NOT NULL`,
    ).arrays()
    return rows as unknown as readonly (readonly [ObjectId, string])[]
  }

  /** Returns, for a typed model, the number of values of each attribute that do not match its type, omitting zeros. */
  countInvalidValues(): { readonly [attribute: string]: number } {
    const counts = this.#declared.map(
      name => `total(${column(name)} IS NULL AND json_type(${REST}, ${pathOf(name)}) IS NOT NULL)`,
    )
    const found =
      this.#sql(`SELECT ${['0', ...counts].join(', ')} FROM $table WHERE ${REST} IS NOT NULL`).arrays()[0] ?? []
    const entries = this.#declared.map((name, at) => [name, Number(found[at + 1] ?? 0)] as const)
    return Object.fromEntries(entries.filter(([, count]) => count > 0))
  }

  /** Returns the highest version of a row; 0 without rows. */
  highestVersion(): number {
    return (this.#sql('SELECT max(version) FROM $table').arrays()[0]?.[0] ?? 0) as number
  }

  voidVersions(): void {
    this.#sql('UPDATE $table SET version = 0 WHERE version <> 0').run()
  }

  /** Removes the outbox entry from every row, without changing its values. */
  forgetEntries(): void {
    this.#sql('UPDATE $table SET entry = NULL WHERE entry IS NOT NULL').run()
  }

  /** Removes the rows without undecided changes, and forgets what led the others. */
  clearUnchanged(): void {
    this.#watch.touchAll()
    const cleared = this.#text?.clear()
    this.#sql('DELETE FROM $table WHERE entry IS NULL').run()
    if (this.#isCopied) this.#sql('UPDATE $table SET copy = NULL').run()
    cleared?.()
  }

  clear(): void {
    this.#watch.touchAll()
    const cleared = this.#text?.clear()
    this.#sql('DELETE FROM $table').run()
    cleared?.()
  }
}
