import type { Attributes, ObjectId } from '@godwit/protocol'
import type { Engine } from './engine.js'
import type { Row } from './records.js'

/** A row for the app: plain data that nobody can change, blobs as files. */
export const rowOf = ({ blobs }: Pick<Engine, 'blobs'>, object: ObjectId, attributes: Attributes): Row =>
  frozenRow(object, blobs ? blobs.show(object, attributes) : attributes)

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
