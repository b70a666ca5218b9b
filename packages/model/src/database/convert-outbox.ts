import type { Definition } from '../definition/definition.js'
import type { DeviceDatabase } from './database.js'
import type { SchemaName } from './files.js'
import { shapeOf } from './model-tables.js'
import { quote } from './table-shape.js'

/** From layout 1: the first change of an object takes over the server's row, and the object's row names it. */
export function convertOutbox(database: DeviceDatabase, schema: SchemaName, definitions: readonly Definition[]): void {
  const [outbox, beneath] = [`${quote(schema)}.outbox`, `${quote(schema)}.beneath`]
  database.exec(`
    ALTER TABLE ${outbox} ADD COLUMN first INTEGER;
    ALTER TABLE ${outbox} ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE ${outbox} ADD COLUMN version INTEGER;
    ALTER TABLE ${outbox} ADD COLUMN pass INTEGER;
    ALTER TABLE ${outbox} ADD COLUMN dead INTEGER;
    ALTER TABLE ${outbox} ADD COLUMN beneath TEXT;
    UPDATE ${outbox} SET first = (SELECT min(entry) FROM ${outbox} AS other WHERE other.model = outbox.model AND other.object = outbox.object);
    UPDATE ${outbox} SET first = NULL WHERE first = entry;
    UPDATE ${outbox} SET (version, pass, dead, beneath) =
      (SELECT version, pass, dead, attributes FROM ${beneath} AS row WHERE row.model = outbox.model AND row.object = outbox.object)
      WHERE first IS NULL;
    DROP TABLE ${beneath}`)
  for (const { table, definition } of definitions.map(shapeOf)) {
    const first = `SELECT entry FROM ${outbox} AS change WHERE change.model = ? AND change.object = row.object AND first IS NULL`
    const changed = `SELECT object FROM ${outbox} WHERE model = ?`
    const point = `UPDATE ${table} AS row SET entry = (${first}) WHERE object IN (${changed})`
    database.withStatement(point, all => all.run(definition.name, definition.name))
    const hidden = `NOT EXISTS (SELECT 1 FROM ${table} AS row WHERE row.object = outbox.object)`
    database.withStatement(`UPDATE ${outbox} SET hidden = 1 WHERE model = ? AND first IS NULL AND ${hidden}`, all =>
      all.run(definition.name),
    )
  }
  database.exec(`DROP INDEX ${quote(schema)}.outbox_object`)
}
