import { script } from './script.js'

/** A reader stands as its base and the time, apart by a space. */
export const noteReaderScript = script({
  keys: ['head', 'readers'],
  given: ['reader', 'base'],
  body: `
if call('EXISTS', K.head) == 1 then call('HSET', K.readers, reader, base .. ' ' .. string.format('%.0f', now)) end`,
})
