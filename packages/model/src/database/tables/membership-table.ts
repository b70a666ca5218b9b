import type { Attributes, ObjectId } from '@godwit/protocol'
import { quote } from '../../columns/table-shape.js'
import { parseAttributes } from '../../definition/attribute-values.js'
import type { SqlValue, Statement } from '../../platform/driver.js'
import type { DeviceDatabase } from '../database.js'
import type { SchemaName } from '../files.js'

/** What a copy that does not lead has of an object. */
export interface StoredMembership {
  readonly copy: number
  readonly version: number
  readonly pass: number
  readonly attributes: Attributes
}

const COLUMNS = 'copy, version, pass, attributes'

/** The memberships that do not lead: of objects in several copies. The leading one is the object's row. */
export class MembershipTable {
  readonly #sql: (text: string) => Statement

  constructor(database: DeviceDatabase, schema: SchemaName) {
    this.#sql = database.over({ membership: `${quote(schema)}.membership` })
  }

  get(model: string, object: ObjectId, copy: number): StoredMembership | undefined {
    const sql = `SELECT ${COLUMNS} FROM $membership WHERE model = ? AND object = ? AND copy = ?`
    const row = this.#sql(sql).arrays(model, object, copy)[0]
    return row && membershipOf(row)
  }

  /** Returns the memberships of an object; those that the server delivered come first. */
  of(model: string, object: ObjectId): readonly StoredMembership[] {
    const sql = `SELECT ${COLUMNS} FROM $membership WHERE model = ? AND object = ? ORDER BY version <= 0, copy`
    return this.#sql(sql).arrays(model, object).map(membershipOf)
  }

  put(model: string, object: ObjectId, { copy, version, pass, attributes }: StoredMembership): void {
    const sql = `INSERT INTO $membership VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (model, object, copy)
      DO UPDATE SET version = excluded.version, pass = excluded.pass, attributes = excluded.attributes`
    this.#sql(sql).run(model, object, copy, version, pass, JSON.stringify(attributes))
  }

  remove(model: string, object: ObjectId, copy: number): void {
    this.#sql('DELETE FROM $membership WHERE model = ? AND object = ? AND copy = ?').run(model, object, copy)
  }

  /** Returns the objects of a copy with their versions and passes. */
  inCopy(copy: number): readonly CopiedObject[] {
    const rows = this.#sql('SELECT object, version, pass FROM $membership WHERE copy = ?').arrays(copy)
    return rows as unknown as readonly CopiedObject[]
  }

  voidVersions(copy: number): void {
    this.#sql('UPDATE $membership SET version = 0 WHERE copy = ?').run(copy)
  }

  clear(model: string): void {
    this.#sql('DELETE FROM $membership WHERE model = ?').run(model)
  }
}

/** An object of a copy with its version and pass. */
export type CopiedObject = readonly [object: ObjectId, version: number, pass: number]

const membershipOf = ([copy, version, pass, attributes]: readonly SqlValue[]): StoredMembership => ({
  copy: copy as number,
  version: version as number,
  pass: pass as number,
  attributes: parseAttributes(attributes as string),
})

/** The leading copies of objects that have undecided changes and no visible row. */
export class LeadTable {
  readonly #sql: (text: string) => Statement

  constructor(database: DeviceDatabase, schema: SchemaName) {
    this.#sql = database.over({ lead: `${quote(schema)}.lead` })
  }

  get(model: string, object: ObjectId): number | null {
    const row = this.#sql('SELECT copy FROM $lead WHERE model = ? AND object = ?').arrays(model, object)[0]
    return (row?.[0] as number | undefined) ?? null
  }

  objects(model: string, copy: number): readonly ObjectId[] {
    const rows = this.#sql('SELECT object FROM $lead WHERE model = ? AND copy = ?').arrays(model, copy)
    return rows.map(([object]) => object as ObjectId)
  }

  set(model: string, object: ObjectId, copy: number | null): void {
    if (copy === null) this.#sql('DELETE FROM $lead WHERE model = ? AND object = ?').run(model, object)
    else this.#sql('INSERT OR REPLACE INTO $lead VALUES (?, ?, ?)').run(model, object, copy)
  }

  clear(model: string): void {
    this.#sql('DELETE FROM $lead WHERE model = ?').run(model)
  }
}
