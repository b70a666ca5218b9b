import type { Attributes, AttributeValue, ObjectId } from '@godwit/protocol'
import { isEmpty, merged, same, valueIn } from '../database/attributes.js'
import { shownValue } from '../database/shown-codec.js'
import { isSameId } from '../definition/shown-ids.js'
import { addUpdate, nextEntry } from '../outbox/add.js'
import { withRealIds } from '../outbox/temporary-owners.js'
import { fit } from './fit.js'
import type { RecordEngine } from './record-engine.js'
import type { RecordRow } from './records.js'
import { rowOf } from './row.js'
import { checkKept, OF_THE_APP, type Rules } from './rules.js'
import { checkUnique } from './unique.js'

/** Writes what differs, inside the caller's transaction. `rules`: whose attributes they are. */
export function change(
  engine: RecordEngine,
  given: ObjectId,
  changes: Attributes,
  rules: Rules = OF_THE_APP,
): RecordRow | undefined {
  const { models, model, database } = engine
  const found = engine.locate(given)
  if (!found) return undefined
  const { object, row: before } = found
  const fitting = fit(model.definition, changes, rules)
  if (rules.areBound) checkKept(model.definition, fitting)
  const kept = engine.blobs?.keep(fitting, { object, attributes: before.attributes }) ?? fitting
  const wanted = withRealIds(models, model, kept)
  // What shows already is no change, whatever is stored; null takes away what is stored.
  const isKept = (name: string, value: AttributeValue) => {
    const there =
      model.definition.typed && value !== null
        ? shownValue(model.definition, before.attributes, name)
        : valueIn(before.attributes, name)
    return same(there, value) || isSameId(model.definition, name, there, value)
  }
  const differing = Object.entries(wanted).filter(([name, value]) => !isKept(name, value))
  const fitted: Attributes = Object.fromEntries(differing)
  if (isEmpty(fitted)) return rowOf(engine, object, before.attributes)
  const attributes = merged(before.attributes, fitted)
  checkUnique(database, model, { object, attributes, changed: fitted })
  const entry = model.synced ? (before.entry ?? nextEntry(model)) : null
  model.rows.updateSome(object, { version: 0, pass: 0, entry, attributes }, Object.keys(fitted))
  engine.blobs?.forget(object, fitted)
  if (entry !== null) addUpdate({ models, model, object }, before, fitted, entry)
  return rowOf(engine, object, attributes)
}
