import { indexed } from './names.js'
import { script } from './script.js'

/** A reader stands as its base and the time, apart by a space. Answers whether the index names the collection, if there is one. */
export const noteReaderScript = script({
  keys: ['head', 'readers'],
  given: ['reader', 'base'],
  uses: [indexed],
  body: `
if call('EXISTS', K.head) == 0 then return false end
call('HSET', K.readers, reader, base .. ' ' .. string.format('%.0f', now))
return isIndexed()`,
})
