import type { ObjectId } from '@godwit/protocol'
import type { SqlValue } from '../database/driver.js'
import { nextEntry } from '../outbox/add.js'
import { compileQuery } from '../query/compile.js'
import type { Query } from '../query/query.js'
import { blamingSql } from '../query/sql-errors.js'
import { destroy } from './destroy.js'
import type { Engine } from './engine.js'

/**
 * Removes what a query matches, inside the caller's transaction; how many went. The same as `destroy` for each:
 * where nothing is undecided about an object and it names no other, the outbox takes its row as it lies there.
 */
export function destroyAll(engine: Engine, query: Query): number {
  const { database, model } = engine
  const { sql, values } = compileQuery(query, model.shape, ['"version"', '"pass"', '"entry"'])
  const rows = blamingSql(query, () => database.prepare(sql).arrays(...values))
  const simple = isSimple(engine)
  const removed: FoundRow[] = []
  for (const row of rows) {
    if (simple(row)) {
      if (model.synced) note(engine, row)
      removed.push(row)
    } else destroy(engine, row[1] as ObjectId)
  }
  model.rows.removeAll(removed.map(([seq, object]) => [seq as number, object as ObjectId]))
  return rows.length
}

type FoundRow = readonly SqlValue[]

const isSimple = ({ model: { synced, definition } }: Engine): ((row: FoundRow) => boolean) =>
  synced ? row => definition.belongsTo.size === 0 && row.at(-1) === null : () => true

/** As `addDelete` does, with the attributes as text. */
function note({ model }: Engine, row: FoundRow): void {
  const [object, version, pass] = [row[1], row.at(-3), row.at(-2)] as [ObjectId, number, number]
  const was = model.rows.codec.text(row, 2)
  model.partition.outbox.addDelete({ entry: nextEntry(model), model: model.name, object, version, pass, was })
}
