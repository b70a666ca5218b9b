import { script } from './script.js'

export const enterIndexScript = script({
  keys: ['collections', 'partitions'],
  given: ['name', 'reversed'],
  body: `
call('ZADD', K.collections, 0, name)
call('ZADD', K.partitions, 0, reversed)`,
})

export const leaveIndexScript = script({
  keys: ['collections', 'partitions'],
  given: ['name', 'reversed'],
  body: `
call('ZREM', K.collections, name)
call('ZREM', K.partitions, reversed)`,
})

/** A collection notes which index names it. */
export const noteIndexedScript = script({
  keys: ['head'],
  given: ['index'],
  body: `
if call('EXISTS', K.head) == 1 then call('HSET', K.head, index, 1) end`,
})
