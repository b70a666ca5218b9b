import type { Attributes, ObjectId } from '@godwit/protocol'
import { withIdTexts } from '../definition/shown-ids.js'
import type { Engine } from './engine.js'
import type { Row } from './records.js'

/** A row for the app: plain data that nobody can change, blobs as files, ids of owners as text. */
export function rowOf(
  { blobs, model }: Pick<Engine, 'blobs' | 'model'>,
  object: ObjectId,
  attributes: Attributes,
): Row {
  const shown = withIdTexts(model.definition, attributes)
  return frozenRow(object, blobs ? blobs.show(object, shown) : shown)
}

const frozenRow = (object: ObjectId, attributes: Attributes): Row =>
  Object.freeze({
    object,
    attributes: deepFrozen(Object.getPrototypeOf(attributes) === null ? { ...attributes } : attributes),
  })

function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const name in value) if (typeof value[name] === 'object') deepFrozen(value[name])
  return Object.freeze(value)
}
