import { quote } from '../../columns/table-shape.js'
import { parseAttributes } from '../../definition/attribute-values.js'
import type { Refusal, RefusalRef } from '../../definition/reported-changes.js'
import type { SqlRow, Statement } from '../../platform/driver.js'
import type { DeviceDatabase } from '../database.js'
import type { SchemaName } from '../files.js'

/** Refused changes, until they are resolved. */
export class RefusalTable {
  readonly #sql: (text: string) => Statement

  constructor(database: DeviceDatabase, schema: SchemaName) {
    this.#sql = database.over({ refusal: `${quote(schema)}.refusal` })
  }

  add({ model, object, operation, status, attributes, was, error, at }: Omit<Refusal, 'id'>): Refusal {
    const sql = `INSERT INTO $refusal (model, object, operation, status, attributes, was, code, message, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`
    const texts = [JSON.stringify(attributes), JSON.stringify(was)] as const
    const row = this.#sql(sql).get(model, object, operation, status, ...texts, error.code, error.message, at)
    return { id: row?.['id'] as number, model, object, operation, status, attributes, was, error, at }
  }

  list(): readonly Refusal[] {
    return this.#sql('SELECT * FROM $refusal ORDER BY id').all().map(refusalOf)
  }

  count(): number {
    return this.#sql('SELECT count(*) FROM $refusal').arrays()[0]?.[0] as number
  }

  /** Returns the refusals of an operation on an object, latest first. */
  of({ model, object, operation }: RefusalRef): readonly Refusal[] {
    const sql = 'SELECT * FROM $refusal WHERE model = ? AND object = ? AND operation = ? ORDER BY id DESC'
    return this.#sql(sql).all(model, object, operation).map(refusalOf)
  }

  remove(id: number): void {
    this.#sql('DELETE FROM $refusal WHERE id = ?').run(id)
  }

  clear(model: string): void {
    this.#sql('DELETE FROM $refusal WHERE model = ?').run(model)
  }
}

function refusalOf(row: SqlRow): Refusal {
  const { code, message, attributes, was, ...rest } = row as Record<string, string>
  return {
    ...(rest as unknown as Omit<Refusal, 'error' | 'attributes' | 'was'>),
    attributes: parseAttributes(attributes as string),
    was: parseAttributes(was as string),
    error: { code: code as string, message: message as string },
  }
}
