import { quote } from '../../columns/table-shape.js'
import { parseAttributes } from '../../definition/attribute-values.js'
import type { Overwritten } from '../../definition/reported-changes.js'
import type { SqlRow, Statement } from '../../platform/driver.js'
import type { DeviceDatabase } from '../database.js'
import type { SchemaName } from '../files.js'

/** Values of others that changes of this device replaced, until the app dismisses them. */
export class OverwrittenTable {
  readonly #sql: (text: string) => Statement

  constructor(database: DeviceDatabase, schema: SchemaName) {
    this.#sql = database.over({ overwritten: `${quote(schema)}.overwritten` })
  }

  add({ model, object, operation, attributes, overwrote, at }: Omit<Overwritten, 'id'>): Overwritten {
    const sql = `INSERT INTO $overwritten (model, object, operation, attributes, overwrote, at) VALUES (?, ?, ?, ?, ?, ?) RETURNING id`
    const row = this.#sql(sql).get(model, object, operation, JSON.stringify(attributes), JSON.stringify(overwrote), at)
    return { id: row?.['id'] as number, model, object, operation, attributes, overwrote, at }
  }

  list(): readonly Overwritten[] {
    return this.#sql('SELECT * FROM $overwritten ORDER BY id').all().map(overwrittenOf)
  }

  count(): number {
    return this.#sql('SELECT count(*) FROM $overwritten').arrays()[0]?.[0] as number
  }

  remove(id: number, model: string): void {
    this.#sql('DELETE FROM $overwritten WHERE id = ? AND model = ?').run(id, model)
  }

  clear(model: string): void {
    this.#sql('DELETE FROM $overwritten WHERE model = ?').run(model)
  }
}

function overwrittenOf(row: SqlRow): Overwritten {
  const { attributes, overwrote, ...rest } = row as Record<string, string>
  return {
    ...(rest as unknown as Omit<Overwritten, 'attributes' | 'overwrote'>),
    attributes: parseAttributes(attributes as string),
    overwrote: parseAttributes(overwrote as string),
  }
}
