import { PLACE, READING_KEYS, readRowsLua } from './changes.js'
import { entries } from './entries.js'
import { atOnce } from './hash-access.js'
import { outcomesAfterLua } from './list-entries.js'
import { script } from './script.js'

/** Returns the results of `changesAfter` and `outcomesAfter`, or false without a collection. */
export const pageScript = script({
  keys: [...READING_KEYS, 'clients', 'given', 'mutations'],
  given: [...PLACE, 'client', 'after', 'most'],
  uses: [readRowsLua, atOnce, entries, outcomesAfterLua],
  body: `
local changes = changesAfter()
return changes and { changes, outcomesAfter(client, tonumber(after), tonumber(most)) }`,
})
