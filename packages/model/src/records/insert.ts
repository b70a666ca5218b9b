import { type Attributes, type ObjectId, SyncError } from '@godwit/protocol'
import { withoutNulls } from '../definition/attribute-values.js'
import { hasMembers } from '../definition/plain-json.js'
import { addCreate, nextEntry } from '../outbox/add.js'
import { addCreates, canAddTogether } from '../outbox/add-many.js'
import { withRealIds } from '../outbox/temporary-owners.js'
import { fit, fitId } from './fit.js'
import type { RecordEngine } from './record-engine.js'
import type { RecordRow } from './records.js'
import { fittingRowOf, rowOf } from './row.js'
import { checkComplete, OF_THE_APP, type Rules } from './rules.js'
import { checkUnique } from './unique.js'

/** Creates an object, inside the caller's transaction. */
export function insert(engine: RecordEngine, given: Attributes, id?: ObjectId, rules: Rules = OF_THE_APP): RecordRow {
  const { models, model } = engine
  const object = id === undefined ? engine.newId() : fitId(id)
  const entry = model.synced ? nextEntry(model) : null
  const attributes = place(engine, { object, entry, given, rules })
  if (entry !== null) addCreate({ models, model, object }, attributes, entry, id !== undefined)
  return (rules.areBound ? fittingRowOf : rowOf)(engine, object, attributes)
}

interface NewObject {
  readonly object: ObjectId
  /** The outbox entry of its create; null for a local model. */
  readonly entry: number | null
  readonly given: Attributes
  readonly rules?: Rules
}

/** Writes the row of a new object without an outbox entry. Returns its attributes as stored. */
function place(engine: RecordEngine, { object, entry, given, rules = OF_THE_APP }: NewObject): Attributes {
  const { models, model, database } = engine
  const whole = rules.areBound ? engine.whole?.(given) : undefined
  const attributes = withRealIds(models, model, whole ?? storedOf(engine, given, rules))
  checkUnique(database, model, { object, attributes, changed: attributes })
  if (!model.rows.insert(object, { version: 0, pass: 0, entry, attributes })) throw exists(model.name, object)
  return attributes
}

/** Converts attributes for storage: defaults, types and files; `null` means absent. */
function storedOf(engine: RecordEngine, given: Attributes, rules: Rules): Attributes {
  const { definition } = engine.model
  const fitting = fit(definition, withDefaults(engine, given), rules)
  if (rules.areBound) checkComplete(definition, fitting)
  return withoutNulls(engine.blobs?.toHashes(fitting) ?? fitting)
}

function withDefaults({ defaults }: RecordEngine, attributes: Attributes): Attributes {
  return defaults && hasMembers(attributes)
    ? { ...defaults, ...Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined)) }
    : attributes
}

const exists = (model: string, object: ObjectId): SyncError =>
  new SyncError('not_unique', `${model} ${object} exists already: expected the id of no object. Nothing was stored.`, {
    details: { object },
  })

/** Creates objects, inside the caller's transaction. Equivalent to `insert` for each, with one addition to the outbox. */
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
