import { SyncError } from '@godwit/protocol'
import { valueText } from '../definition/value-text.js'

/** Returns an argument that has to be a list. Throws `value_not_allowed` for anything else. */
export function checkList<Item>(method: string, items: string, given: readonly Item[]): readonly Item[] {
  if (Array.isArray(given)) return given
  throw new SyncError('value_not_allowed', `${method}: expected a list of ${items}, got ${valueText(given)}.`)
}
