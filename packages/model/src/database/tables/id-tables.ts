import type { ObjectId } from '@godwit/protocol'
import { quote } from '../../columns/table-shape.js'
import type { Statement } from '../../platform/driver.js'
import type { DeviceDatabase } from '../database.js'
import type { SchemaName } from '../files.js'

/** A temporary id and the real id that the server assigned. */
export interface IdLink {
  readonly model: string
  readonly temporary: ObjectId
  readonly real: ObjectId
}

/** A temporary id that an entry refers to. */
export interface IdReference {
  readonly owner: string
  readonly object: ObjectId
  readonly entry: number
}

/** An attribute that holds ids of another model. */
export interface ReferenceAttribute {
  readonly model: string
  readonly attribute: string
  readonly owner: string
  /** The outbox table of the owner's partition. */
  readonly creates: string
}

/** Links from temporary to real ids. They are kept after the sync, because an app may still use a temporary id. */
export class LinkTable {
  readonly #sql: (text: string) => Statement

  constructor(database: DeviceDatabase, schema: SchemaName) {
    this.#sql = database.over({ link: `${quote(schema)}.link` })
  }

  real(model: string, temporary: ObjectId): ObjectId | undefined {
    const row = this.#sql('SELECT "real" FROM $link WHERE model = ? AND temporary = ?').get(model, temporary)
    return row?.['real'] as string | undefined
  }

  /** Returns the temporary ids linked to an id. */
  temporaries(model: string, real: ObjectId): readonly ObjectId[] {
    const rows = this.#sql('SELECT temporary FROM $link WHERE model = ? AND "real" = ?').arrays(model, real)
    return rows.map(([temporary]) => temporary as ObjectId)
  }

  hasAny(model: string): boolean {
    return this.#sql('SELECT 1 FROM $link WHERE model = ? LIMIT 1').arrays(model).length > 0
  }

  /** Returns true if one of these ids is linked, as a temporary or a real id. */
  hasOne(model: string, ids: readonly ObjectId[]): boolean {
    const linked = (column: string) => `EXISTS (SELECT 1 FROM $link WHERE model = ? AND ${column} = one.value)`
    const sql = `SELECT 1 FROM json_each(?) AS one WHERE ${linked('temporary')} OR ${linked('"real"')} LIMIT 1`
    return this.#sql(sql).arrays(JSON.stringify(ids), model, model).length > 0
  }

  of(model: string): readonly IdLink[] {
    const sql = 'SELECT model, temporary, "real" FROM $link WHERE model = ?'
    return this.#sql(sql).all(model) as unknown as readonly IdLink[]
  }

  add({ model, temporary, real }: IdLink): void {
    const sql = `INSERT INTO $link VALUES (?, ?, ?, 0) ON CONFLICT (model, temporary) DO UPDATE SET "real" = excluded."real", spread = 0`
    this.#sql(sql).run(model, temporary, real)
  }

  unspread(): readonly IdLink[] {
    return this.#sql(
      'SELECT model, temporary, "real" FROM $link WHERE spread = 0',
    ).all() as unknown as readonly IdLink[]
  }

  markSpread({ model, temporary }: IdLink): void {
    this.#sql('UPDATE $link SET spread = 1 WHERE model = ? AND temporary = ?').run(model, temporary)
  }

  clear(model: string): void {
    this.#sql('DELETE FROM $link WHERE model = ?').run(model)
  }
}

/** The temporary ids, of any partition, that entries of this partition refer to. */
export class NamedTable {
  readonly #sql: (text: string) => Statement

  constructor(database: DeviceDatabase, schema: SchemaName) {
    this.#sql = database.over({ named: `${quote(schema)}.named`, outbox: `${quote(schema)}.outbox` })
  }

  add({ owner, object, entry }: IdReference): void {
    this.#sql('INSERT OR IGNORE INTO $named VALUES (?, ?, ?)').run(owner, object, entry)
  }

  of(entry: number): readonly IdReference[] {
    return this.#sql('SELECT owner, object, entry FROM $named WHERE entry = ?').all(
      entry,
    ) as unknown as readonly IdReference[]
  }

  by(owner: string, object: ObjectId): readonly number[] {
    return this.#sql('SELECT entry FROM $named WHERE owner = ? AND object = ? ORDER BY entry')
      .arrays(owner, object)
      .map(([entry]) => entry as number)
  }

  /** Returns references of unsent entries to undecided creates that are not listed, because the create was added after the reference. */
  unlisted({ model, attribute, owner, creates }: ReferenceAttribute): readonly IdReference[] {
    const those = (column: 'attributes' | 'was') =>
      this.#sql(
        `SELECT ? AS owner, reference.value AS object, own.entry AS entry FROM $outbox AS own, json_each(own.${column}) AS reference
         WHERE own.model = ? AND own."key" IS NULL AND reference.key = ? AND reference.type = 'text'
         AND reference.value IN (SELECT object FROM ${creates} WHERE model = ? AND operation = 'create')
         AND NOT EXISTS (SELECT 1 FROM $named AS listed WHERE listed.owner = ? AND listed.object = reference.value AND listed.entry = own.entry)`,
      ).all(owner, model, attribute, owner, owner)
    return [...those('attributes'), ...those('was')] as unknown as readonly IdReference[]
  }

  all(): readonly IdReference[] {
    return this.#sql(
      'SELECT owner, object, entry FROM $named ORDER BY entry',
    ).all() as unknown as readonly IdReference[]
  }

  forget(entry: number): void {
    this.#sql('DELETE FROM $named WHERE entry = ?').run(entry)
  }

  /** Removes references of deleted entries. */
  purge(): void {
    this.#sql('DELETE FROM $named WHERE entry NOT IN (SELECT entry FROM $outbox)').run()
  }

  forgetOwner(owner: string, object: ObjectId): void {
    this.#sql('DELETE FROM $named WHERE owner = ? AND object = ?').run(owner, object)
  }
}

/** The tables of tombstones: of sources by the model's name, of copies by their ids. */
const REMOVED_KEYS = { removed: 'model', copy_removed: 'copy' } as const

/** Objects that the running pass has removed, with their versions, so that a late outcome does not restore them. */
export class Tombstones {
  readonly #sql: (text: string) => Statement
  readonly #of: string | number

  /** `of`: the model's name for `removed`, the id of a copy for `copy_removed`. */
  constructor(
    database: DeviceDatabase,
    schema: SchemaName,
    { table, of }: { readonly table: keyof typeof REMOVED_KEYS; readonly of: string | number },
  ) {
    this.#sql = database.over({ removed: `${quote(schema)}.${table}`, of: REMOVED_KEYS[table] })
    this.#of = of
  }

  version(object: ObjectId): number | undefined {
    const row = this.#sql('SELECT version FROM $removed WHERE $of = ? AND object = ?').get(this.#of, object)
    return row?.['version'] as number | undefined
  }

  add(object: ObjectId, version: number): void {
    const sql =
      'INSERT INTO $removed VALUES (?, ?, ?) ON CONFLICT ($of, object) DO UPDATE SET version = excluded.version'
    this.#sql(sql).run(this.#of, object, version)
  }

  /** Returns the ids of objects removed above a version. */
  above(version: number): readonly ObjectId[] {
    const rows = this.#sql('SELECT object FROM $removed WHERE $of = ? AND version > ?').arrays(this.#of, version)
    return rows.map(([object]) => object as ObjectId)
  }

  highestVersion(): number {
    return (this.#sql('SELECT max(version) FROM $removed WHERE $of = ?').arrays(this.#of)[0]?.[0] ?? 0) as number
  }

  clear(): void {
    this.#sql('DELETE FROM $removed WHERE $of = ?').run(this.#of)
  }
}
