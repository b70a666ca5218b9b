import { type ObjectId, SyncError } from '@godwit/protocol'
import { valueText } from '../definition/value-text.js'

/** Returns an id from the app. Throws `value_not_allowed` for anything but text, such as a record, which no database could look up. */
export function checkId({ name }: { readonly name: string }, id: ObjectId): ObjectId {
  if (typeof id === 'string') return id
  throw new SyncError(
    'value_not_allowed',
    `${name}: expected the id of an object, which is text, got ${valueText(id)}.`,
  )
}
