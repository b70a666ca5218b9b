import type { Attributes } from '@godwit/protocol'
import { nextEntry } from '../outbox/add.js'
import { addCreates, canAddTogether } from '../outbox/add-creates.js'
import { insert, place } from './insert.js'
import type { RecordEngine } from './record-engine.js'
import type { RecordRow } from './records.js'
import { fittingRowOf } from './row.js'

/** Makes objects, inside the caller's transaction. The same as `insert` for each, but the outbox takes them together. */
export function insertAll(engine: RecordEngine, all: readonly Attributes[]): readonly RecordRow[] {
  const { database, models, model, newId } = engine
  if (all.length < 2 || !canAddTogether(database, models, model)) return all.map(one => insert(engine, one))
  const [entry, after] = [nextEntry(model, all.length), model.rows.lastSeq()]
  const rows = all.map((given, at) => {
    const object = newId()
    return fittingRowOf(engine, object, place(engine, { object, entry: entry + at, given }))
  })
  addCreates(database, model, { after, entry: entry + all.length - 1 })
  return rows
}
