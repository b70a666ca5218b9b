import { type Attributes, emptyRecord, type ObjectId, SyncError } from '@godwit/protocol'
import { type Batch, MAX_BATCH } from '../collections.js'
import { storedId } from './object-id.js'

/** The change of one object in a batch, applied in the order of these members. */
export interface ObjectChange {
  /** Names of attributes to remove. */
  readonly without?: readonly string[]
  readonly replace?: Attributes
  readonly merge?: Attributes
  readonly remove?: true
}

/** Groups a batch by object, under the stored ids. Throws `body_invalid` for invalid ids and for more than 1,000 objects. */
export function changesByObject(batch: Batch): ReadonlyMap<ObjectId, ObjectChange> {
  const changes = new Map<ObjectId, { -readonly [Member in keyof ObjectChange]: ObjectChange[Member] }>()
  const of = (id: ObjectId) => {
    const stored = storedId(id)
    const change = changes.get(stored) ?? {}
    changes.set(stored, change)
    return change
  }
  for (const [id, names] of Object.entries(batch.removeAttributes ?? {})) {
    const change = of(id)
    change.without = [...(change.without ?? []), ...names]
  }
  for (const [id, attributes] of Object.entries(batch.replace ?? {})) of(id).replace = attributes
  for (const [id, attributes] of Object.entries(batch.merge ?? {})) {
    const change = of(id)
    // Two ids can become equal when made well-formed.
    change.merge = change.merge ? Object.assign(emptyRecord(), change.merge, attributes) : attributes
  }
  for (const id of batch.remove ?? []) of(id).remove = true
  if (changes.size > MAX_BATCH)
    throw new SyncError('body_invalid', `expected a batch of at most ${MAX_BATCH} objects, got ${changes.size}.`)
  return changes
}
