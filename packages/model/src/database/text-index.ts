import { displayedExpression, isStored } from '../columns/column-sql.js'
import { quote } from '../columns/table-shape.js'
import type { Definition } from '../definition/definition.js'
import { textTable, textTableName } from '../query/search-text.js'
import type { DeviceDatabase } from './database.js'
import { shapeOf, tableName } from './model-tables.js'

/** Value of `through` that is above every `seq`: all rows are indexed. */
const ALL = Number.MAX_SAFE_INTEGER
/** Rows per transaction of `fillPart`. Other calls can run between the transactions. */
const ROWS_PER_PART = 1000

/**
 * The full-text index of a model. The table `text_index` stores the `seq` up to which rows are indexed: triggers keep those up to date in the row's
 * transaction, and `fill` adds later rows in batches.
 */
export class TextIndex {
  readonly #database: DeviceDatabase
  readonly #definition: Definition
  readonly #state: string

  private constructor(database: DeviceDatabase, definition: Definition) {
    this.#database = database
    this.#definition = definition
    this.#state = `${quote(definition.partition)}.text_index`
  }

  /** Returns undefined if the model has no `textSearch`. */
  static of(database: DeviceDatabase, definition: Definition): TextIndex | undefined {
    return (definition.textSearch ?? []).length > 0 ? new TextIndex(database, definition) : undefined
  }

  /** Creates the empty index, inside the caller's transaction. `fill` adds the rows. */
  make(): void {
    const { partition, textSearch = [] } = this.#definition
    const columns = textSearch.map((_, at) => `text_${at}`).join(', ')
    this.#database.exec(
      `CREATE VIRTUAL TABLE ${textTable(this.#definition)} USING fts5(${columns}, content = '', tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3')`,
    )
    this.#recordIndexed(-1)
    const schema = quote(partition)
    for (const [name, when, steps] of this.#triggers())
      this.#database.exec(`CREATE TRIGGER ${schema}.${quote(name)} AFTER ${when} BEGIN ${steps.join('; ')}; END`)
  }

  /** Recreates the index if the stored one covers other attributes, as declared by another version of the app. */
  static renew(database: DeviceDatabase, definition: Definition): void {
    const index = new TextIndex(database, definition)
    const isWanted = (definition.textSearch ?? []).length > 0
    if (isWanted ? index.#isMade() : !index.#isKnown()) return
    index.drop()
    if (isWanted) index.make()
  }

  #isMade(): boolean {
    const { partition, name } = this.#definition
    const made = `SELECT sql FROM ${quote(partition)}.sqlite_master WHERE type = 'trigger' AND name = ?`
    const sql = this.#database.prepareForeign(made).arrays(`text_insert_${name}`)[0]?.[0] ?? ''
    const [insert] = this.#triggers()
    return insert?.[2].every(step => String(sql).includes(step)) === true
  }

  #isKnown(): boolean {
    const sql = `SELECT 1 FROM ${this.#state} WHERE model = ?`
    return this.#database.prepare(sql).get(this.#definition.name) !== undefined
  }

  drop(): void {
    const schema = quote(this.#definition.partition)
    for (const [name] of this.#triggers()) this.#database.exec(`DROP TRIGGER IF EXISTS ${schema}.${quote(name)}`)
    this.#database.exec(`DROP TABLE IF EXISTS ${textTable(this.#definition)}`)
    this.#database.prepare(`DELETE FROM ${this.#state} WHERE model = ?`).run(this.#definition.name)
  }

  /** Stops indexing new rows by triggers until the next `fill`, which is faster for many rows. */
  pause(): void {
    if (this.#through() === ALL) this.#recordIndexed(this.#last())
  }

  /** Indexes all remaining rows. */
  fill(): void {
    if (this.#through() !== ALL) this.#database.transaction(() => this.#fillAll())
  }

  /** Indexes the next rows in one transaction. Returns false when no rows are left. */
  fillPart(): boolean {
    if (this.#through() === ALL) return false
    return this.#database.transaction(() => this.#fillSome())
  }

  /** Empties the index at once, without triggers for each row. Call the returned function after the rows are deleted. */
  clear(): () => void {
    this.#recordIndexed(-1)
    const table = textTable(this.#definition)
    this.#database
      .prepare(`INSERT INTO ${table} (${quote(textTableName(this.#definition))}) VALUES ('delete-all')`)
      .run()
    return () => this.#recordIndexed(ALL)
  }

  #fillAll(): void {
    while (this.#fillSome());
  }

  #fillSome(): boolean {
    const { textSearch = [] } = this.#definition
    const { table } = shapeOf(this.#definition)
    const from = this.#through()
    const part = `SELECT max(seq) FROM (SELECT seq FROM ${table} WHERE seq > ? ORDER BY seq LIMIT ${ROWS_PER_PART})`
    const through = this.#database.prepare(part).arrays(from)[0]?.[0] as number | null
    this.#recordIndexed(through ?? ALL)
    if (through === null) return false
    const texts = textSearch.map(name => displayedExpression(this.#definition, name)).join(', ')
    const columns = textSearch.map((_, at) => `text_${at}`).join(', ')
    this.#database
      .prepare(
        `INSERT INTO ${textTable(this.#definition)} (rowid, ${columns}) SELECT seq, ${texts} FROM ${table} WHERE seq > ? AND seq <= ?`,
      )
      .run(from, through)
    return true
  }

  #last(): number {
    return (this.#database.prepare(`SELECT max(seq) FROM ${shapeOf(this.#definition).table}`).arrays()[0]?.[0] ??
      0) as number
  }

  #through(): number {
    const sql = `SELECT through FROM ${this.#state} WHERE model = ?`
    return (this.#database.prepare(sql).arrays(this.#definition.name)[0]?.[0] ?? -1) as number
  }

  #recordIndexed(through: number): void {
    this.#database
      .prepare(`INSERT INTO ${this.#state} VALUES (?, ?) ON CONFLICT (model) DO UPDATE SET through = excluded.through`)
      .run(this.#definition.name, through)
  }

  #triggers(): readonly (readonly [name: string, when: string, steps: readonly string[]])[] {
    const { name, textSearch = [] } = this.#definition
    const [table, text] = [quote(tableName(this.#definition)), quote(textTableName(this.#definition))]
    const columns = textSearch.map((_, at) => `text_${at}`).join(', ')
    const textsOf = (row: string) =>
      textSearch.map(one => displayedExpression(this.#definition, one, `${row}.`)).join(', ')
    const add = `INSERT INTO ${text} (rowid, ${columns}) VALUES (new.seq, ${textsOf('new')})`
    const remove = `INSERT INTO ${text} (${text}, rowid, ${columns}) VALUES ('delete', old.seq, ${textsOf('old')})`
    const isIn = (row: string) =>
      `${row}.seq <= (SELECT through FROM text_index WHERE model = '${name.replaceAll("'", "''")}')`
    const changed = textSearch.map(one => {
      const [before, now] = ['old.', 'new.'].map(row => displayedExpression(this.#definition, one, row))
      return `${before} IS NOT ${now}`
    })
    const written = textSearch.filter(one => isStored(this.#definition, one)).map(one => quote(`a_${one}`))
    // An attribute without a column is never updated.
    const update = `UPDATE ${written.length > 0 ? `OF ${written.join(', ')} ` : ''}ON ${table}`
    return [
      [`text_insert_${name}`, `INSERT ON ${table} WHEN ${isIn('new')}`, [add]],
      [`text_delete_${name}`, `DELETE ON ${table} WHEN ${isIn('old')}`, [remove]],
      [`text_update_${name}`, `${update} WHEN ${isIn('old')} AND (${changed.join(' OR ')})`, [remove, add]],
    ]
  }
}
