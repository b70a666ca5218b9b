import { type Attributes, type ObjectId, SyncError } from '@godwit/protocol'
import { present } from '../database/attributes.js'
import { addCreate, nextEntry } from '../outbox/add.js'
import { withRealIds } from '../outbox/named.js'
import type { Engine } from './engine.js'
import { fit, fitId } from './fit.js'
import type { Row } from './records.js'
import { rowOf } from './row.js'
import { checkUnique } from './unique.js'

/** Makes an object, inside the caller's transaction. */
export function insert(engine: Engine, attributes: Attributes, id?: ObjectId): Row {
  const { models, model, database } = engine
  const object = id === undefined ? engine.newId() : fitId(id)
  const given = fit(model.definition, withDefaults(engine, attributes))
  const fitted = present(withRealIds(models, model, engine.blobs?.keep(given) ?? given))
  checkUnique(database, model, object, fitted)
  const entry = model.synced ? nextEntry(model) : null
  if (!model.rows.insert(object, { version: 0, pass: 0, entry, attributes: fitted })) throw exists(model.name, object)
  if (entry !== null) addCreate({ models, model, object }, fitted, entry, id !== undefined)
  return rowOf(engine, object, fitted)
}

function withDefaults({ defaults }: Engine, attributes: Attributes): Attributes {
  return defaults
    ? { ...defaults, ...Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined)) }
    : attributes
}

const exists = (model: string, object: ObjectId): SyncError =>
  new SyncError('not_unique', `${model} ${object} exists already: expected the id of no object. Nothing was stored.`, {
    details: { object },
  })
