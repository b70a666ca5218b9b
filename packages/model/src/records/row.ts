import type { Attributes, ObjectId } from '@godwit/protocol'
import { shownAttributes } from '../database/shown-codec.js'
import type { Definition } from '../definition/definition.js'
import { withIdTexts } from '../definition/shown-ids.js'
import type { RecordEngine } from './record-engine.js'
import type { RecordRow } from './records.js'

/** Returns the row that the app sees for stored attributes: frozen plain data, with blobs as files. */
export const rowOf = (
  engine: Pick<RecordEngine, 'blobs' | 'model'>,
  object: ObjectId,
  attributes: Attributes,
): RecordRow => shownRow(engine, object, shownOf(engine.model.definition, attributes, false))

/** The same for attributes of the app that fit their types. */
export const fittingRowOf = (
  engine: Pick<RecordEngine, 'blobs' | 'model'>,
  object: ObjectId,
  attributes: Attributes,
): RecordRow => shownRow(engine, object, shownOf(engine.model.definition, attributes, true))

/** The same for attributes as they are shown. */
export const shownRow = ({ blobs }: Pick<RecordEngine, 'blobs'>, object: ObjectId, attributes: Attributes): RecordRow =>
  frozenRow(object, blobs ? blobs.show(object, attributes) : attributes)

/** Returns attributes as the app sees them. Those of untyped models change only in ids of owners, which are text. */
const shownOf = (definition: Definition, attributes: Attributes, areFitting: boolean): Attributes =>
  definition.typed ? shownAttributes(definition, attributes, areFitting) : withIdTexts(definition, attributes)

const frozenRow = (object: ObjectId, attributes: Attributes): RecordRow =>
  Object.freeze({
    object,
    attributes: deepFrozen(Object.getPrototypeOf(attributes) === null ? { ...attributes } : attributes),
  })

function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const name in value) if (typeof value[name] === 'object') deepFrozen(value[name])
  return Object.freeze(value)
}
