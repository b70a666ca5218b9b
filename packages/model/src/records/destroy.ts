import type { ObjectId } from '@godwit/protocol'
import { addDelete } from '../outbox/add.js'
import type { Engine } from './engine.js'

/** Removes an object, inside the caller's transaction. False: there was none. */
export function destroy({ models, model, resolve }: Engine, given: ObjectId): boolean {
  const object = resolve(given)
  const before = model.synced ? model.rows.get(object) : undefined
  if (!model.rows.remove(object)) return false
  if (before) addDelete({ models, model, object }, before)
  return true
}
