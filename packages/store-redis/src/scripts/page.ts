import { PLACE, READING_KEYS, reading } from './changes.js'
import { entries } from './entries.js'
import { atOnce } from './kept.js'
import { script } from './script.js'
import { telling } from './tell.js'

/** What `changesAfter` answers, and what `outcomesAfter` does; nothing: there is no collection. */
export const pageScript = script({
  keys: [...READING_KEYS, 'clients', 'given', 'mutations'],
  given: [...PLACE, 'client', 'after', 'most'],
  uses: [reading, atOnce, entries, telling],
  body: `
local changes = changesAfter()
return changes and { changes, outcomesAfter(client, tonumber(after), tonumber(most)) }`,
})
