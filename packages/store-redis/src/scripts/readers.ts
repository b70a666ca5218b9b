import { indexLua } from './names.js'
import { script } from './script.js'

/**
 * Stores a reader as its base and the time, separated by a space. Returns whether each index that should contain the collection does; false without a
 * collection.
 */
export const recordReaderScript = script({
  keys: ['head', 'readers', 'undecided'],
  given: ['reader', 'base'],
  uses: [indexLua],
  body: `
if call('EXISTS', K.head) == 0 then return false end
call('HSET', K.readers, reader, base .. ' ' .. string.format('%.0f', now))
return { isIndexed(), call('ZCARD', K.undecided) == 0 and 1 or isListed() }`,
})
