import { indexLua } from './names.js'
import { script } from './script.js'

/** A reader stands as its base and the time, apart by a space. Answers whether the indexes name the collection that ought to, if it is there. */
export const noteReaderScript = script({
  keys: ['head', 'readers', 'undecided'],
  given: ['reader', 'base'],
  uses: [indexLua],
  body: `
if call('EXISTS', K.head) == 0 then return false end
call('HSET', K.readers, reader, base .. ' ' .. string.format('%.0f', now))
return { isIndexed(), call('ZCARD', K.undecided) == 0 and 1 or isListed() }`,
})
