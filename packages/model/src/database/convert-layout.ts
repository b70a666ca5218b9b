import { type Attributes, type AttributeValue, type ObjectId, SyncError } from '@godwit/protocol'
import type { AttributeDefinition, Definition } from '../definition/definition.js'
import { parseAttributes } from './attributes.js'
import type { DeviceDatabase } from './database.js'
import type { SqlValue } from './driver.js'
import { SCHEMAS, type SchemaName } from './files.js'
import { ModelRows } from './model-rows.js'
import { dropIndexes, makeIndexes, makeTable, shapeOf } from './model-tables.js'
import { readDefinition } from './stored-definition.js'
import { column, quote } from './table-shape.js'

/** How a file lies, as its `user_version` says. */
const LAYOUT = 2

/**
 * Converts the files of older devices to the present layout (`TableShape`, `makeSystemTables`), before missing tables are made; files of a newer one are
 * left untouched (`database_failed`). Rows keep ids, versions and order, and unsent changes stay.
 * - Layout 0: a bag had its attributes as one JSON text, and a fixed column held what did not fit its type as JSON in a BLOB.
 * - Layout 1: the server's rows beneath undecided changes had a separate table, and an index led to the changes of an object.
 */
export function convertLayout(database: DeviceDatabase): void {
  const layouts = SCHEMAS.map(schema => layoutOf(database, schema))
  if (layouts.every(layout => layout === LAYOUT)) return
  const highest = Math.max(...layouts)
  if (highest > LAYOUT) throw tooNew(highest)
  database.transaction(() => {
    for (const schema of SCHEMAS) if (layoutOf(database, schema) < LAYOUT) convertFile(database, schema)
  })
}

const tooNew = (layout: number): SyncError =>
  new SyncError(
    'database_failed',
    `The data of this device were written by a newer version of the app: expected layout ${LAYOUT} or older, found ${layout}. Install the newer version again: nothing was changed.`,
    { details: { layout, known: LAYOUT } },
  )

const layoutOf = (database: DeviceDatabase, schema: SchemaName): number =>
  database.withStatement(`PRAGMA ${quote(schema)}.user_version`, pragma => pragma.arrays()[0]?.[0] as number)

const isNew = (database: DeviceDatabase, schema: SchemaName): boolean =>
  database.withStatement(
    `SELECT 1 FROM ${quote(schema)}.sqlite_master WHERE name = 'outbox'`,
    made => made.get() === undefined,
  )

function convertFile(database: DeviceDatabase, schema: SchemaName): void {
  if (!isNew(database, schema)) {
    const definitions = database.withStatement(`SELECT definition FROM ${quote(schema)}.model`, all =>
      all.arrays().map(([text]) => readDefinition(text as string)),
    )
    const isOldest = layoutOf(database, schema) === 0
    for (const definition of definitions) isOldest ? convertTable(database, definition) : addEntry(database, definition)
    convertOutbox(database, schema, definitions)
  }
  database.exec(`PRAGMA ${quote(schema)}.user_version = ${LAYOUT}`)
}

const addEntry = (database: DeviceDatabase, definition: Definition): void =>
  database.exec(`ALTER TABLE ${shapeOf(definition).table} ADD COLUMN entry INTEGER`)

function convertTable(database: DeviceDatabase, definition: Definition): void {
  const shape = shapeOf(definition)
  const [name, old] = [
    quote(`old_${definition.name}`),
    `${quote(definition.partition)}.${quote(`old_${definition.name}`)}`,
  ]
  dropIndexes(database, definition)
  database.exec(`ALTER TABLE ${shape.table} RENAME TO ${name}`)
  makeTable(database, shape)
  const rows = new ModelRows(database, shape)
  for (const { object, version, pass, attributes } of oldRows(database, definition, old))
    rows.insert(object, { version, pass, attributes })
  database.exec(`DROP TABLE ${old}`)
  makeIndexes(database, definition)
}

interface OldRow {
  readonly object: ObjectId
  readonly version: number
  readonly pass: number
  readonly attributes: Attributes
}

/** In order of creation, in parts. */
function* oldRows(database: DeviceDatabase, { storage, attributes }: Definition, table: string): Generator<OldRow> {
  const declared = [...attributes.values()]
  const columns = storage === 'bag' ? ['attributes'] : declared.map(({ name }) => column(name))
  const part = database.prepareForeign(
    `SELECT seq, object, version, pass, ${columns.join(', ')} FROM ${table} WHERE seq > ? ORDER BY seq LIMIT 1000`,
  )
  try {
    for (let rows = part.arrays(0); rows.length > 0; rows = part.arrays(rows.at(-1)?.[0] as number))
      for (const [, object, version, pass, ...cells] of rows)
        yield {
          object: object as ObjectId,
          version: version as number,
          pass: pass as number,
          attributes: storage === 'bag' ? parseAttributes(cells[0] as string) : oldAttributes(declared, cells),
        }
  } finally {
    part.free()
  }
}

const oldAttributes = (declared: readonly AttributeDefinition[], cells: readonly SqlValue[]): Attributes =>
  Object.fromEntries(
    declared.flatMap(({ name, type }, at) => {
      const cell = cells[at]
      if (cell === null || cell === undefined) return []
      if (typeof cell === 'object') return [[name, JSON.parse(new TextDecoder().decode(cell)) as AttributeValue]]
      return [[name, type === 'Boolean' ? cell === 1 : cell]]
    }),
  )

/** From layout 1: the first change of an object takes over the server's row, and the object's row names it. */
function convertOutbox(database: DeviceDatabase, schema: SchemaName, definitions: readonly Definition[]): void {
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
