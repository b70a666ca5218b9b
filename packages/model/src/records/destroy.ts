import type { ObjectId } from '@godwit/protocol'
import { addDelete } from '../outbox/add.js'
import type { RecordEngine } from './record-engine.js'

/** Removes an object, inside the caller's transaction. False: there was none. */
export function destroy({ models, model, locate }: RecordEngine, given: ObjectId): boolean {
  if (!model.synced) return model.rows.remove(given)
  const found = locate(given)
  if (!found) return false
  model.rows.remove(found.object)
  addDelete({ models, model, object: found.object }, found.row)
  return true
}
