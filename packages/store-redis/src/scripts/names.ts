import { script } from './script.js'
import { sorted } from './sorted.js'

const KEYS = ['starts', 'leaves'] as const

/** A collection stands in the index twice: after `s` by its source, after `p` by its partition. */
export const enterIndexScript = script({
  keys: KEYS,
  given: ['name', 'reversed'],
  uses: [sorted],
  body: `
enter('s' .. name)
enter('p' .. reversed)`,
})

export const leaveIndexScript = script({
  keys: KEYS,
  given: ['name', 'reversed'],
  uses: [sorted],
  body: `
leave('s' .. name)
leave('p' .. reversed)`,
})

/** Names from the first to before the last, so many. */
export const listIndexScript = script({
  keys: KEYS,
  given: ['first', 'last', 'limit'],
  uses: [sorted],
  body: `
local names = {}
each(first, last, tonumber(limit), function(name) names[#names + 1] = string.sub(name, 2) end)
return names`,
})

/** A collection notes which index names it, and when that was so. */
export const noteIndexedScript = script({
  keys: ['head'],
  given: ['index'],
  body: `
if call('EXISTS', K.head) == 1 then call('HSET', K.head, index, now) end`,
})
