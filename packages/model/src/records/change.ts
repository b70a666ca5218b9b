import type { Attributes, AttributeValue, ObjectId } from '@godwit/protocol'
import { displayedValue } from '../columns/displayed-codec.js'
import { isEmpty, mergeAttributes, recordFor, same, valueIn } from '../definition/attribute-values.js'
import type { Definition } from '../definition/definition.js'
import { isSameId } from '../definition/displayed-ids.js'
import { addUpdate, nextEntry } from '../outbox/add.js'
import { withRealIds } from '../outbox/temporary-owners.js'
import { fit } from './fit.js'
import type { RecordEngine } from './record-engine.js'
import type { RecordRow } from './records.js'
import { rowOf } from './row.js'
import { checkRequiredKept, OF_THE_APP, type Rules } from './rules.js'
import { checkUnique } from './unique.js'

/** Writes the attributes that differ, inside the caller's transaction. `rules` are the checks that apply. */
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
  if (rules.areBound) checkRequiredKept(model.definition, fitting)
  const kept = engine.blobs?.toHashes(fitting, { object, attributes: before.attributes }) ?? fitting
  const fitted = differing(model.definition, before.attributes, withRealIds(models, model, kept))
  if (isEmpty(fitted)) return rowOf(engine, object, before.attributes)
  const attributes = mergeAttributes(before.attributes, fitted)
  checkUnique(database, model, { object, attributes, changed: fitted })
  const entry = model.synced ? (before.entry ?? nextEntry(model)) : null
  model.rows.updateSome(object, { version: 0, pass: 0, entry, attributes }, Object.keys(fitted))
  engine.blobs?.forget(object, fitted)
  if (entry !== null) addUpdate({ models, model, object }, before, fitted, entry)
  return rowOf(engine, object, attributes)
}

/** Returns the attributes that change. A value equal to the displayed one is no change, even if the stored one differs; null removes a stored value. */
function differing(definition: Definition, stored: Attributes, wanted: Attributes): Attributes {
  const result = recordFor(wanted)
  for (const name of Object.keys(wanted)) {
    const value = wanted[name] as AttributeValue
    const isDisplayed = definition.typed && value !== null
    const there = isDisplayed ? displayedValue(definition, stored, name) : valueIn(stored, name)
    if (!same(there, value) && !isSameId(definition, name, there, value)) result[name] = value
  }
  return result
}
