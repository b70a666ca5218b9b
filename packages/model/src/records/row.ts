import type { Attributes, ObjectId } from '@godwit/protocol'
import { displayedAttributes } from '../columns/displayed-codec.js'
import type { Definition } from '../definition/definition.js'
import { withIdTexts } from '../definition/displayed-ids.js'
import type { RecordEngine } from './record-engine.js'
import type { RecordRow } from './records.js'

/** Returns the row that the app sees for stored attributes: frozen plain data, with file paths for blobs. */
export const rowOf = (
  engine: Pick<RecordEngine, 'blobs' | 'model'>,
  object: ObjectId,
  attributes: Attributes,
): RecordRow => displayedRow(engine, object, displayedOf(engine.model.definition, attributes, false))

/** Like `rowOf`, for attributes that are known to match their types. */
export const fittingRowOf = (
  engine: Pick<RecordEngine, 'blobs' | 'model'>,
  object: ObjectId,
  attributes: Attributes,
): RecordRow => displayedRow(engine, object, displayedOf(engine.model.definition, attributes, true))

/** Like `rowOf`, for attributes that are already in the form that the app sees. */
export const displayedRow = (
  { blobs }: Pick<RecordEngine, 'blobs'>,
  object: ObjectId,
  attributes: Attributes,
): RecordRow => frozenRow(object, blobs ? blobs.toPaths(object, attributes) : attributes)

/** Returns attributes as the app sees them. In untyped models only ids of owners change, to text. */
const displayedOf = (definition: Definition, attributes: Attributes, areFitting: boolean): Attributes =>
  definition.typed ? displayedAttributes(definition, attributes, areFitting) : withIdTexts(definition, attributes)

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
