import { script } from './script.js'
import { sortedTextsLua } from './sorted-texts.js'

const KEYS = ['starts', 'leaves'] as const

/** A collection stands in the index twice: after `s` by its source, after `p` by its partition. */
export const enterIndexScript = script({
  keys: KEYS,
  given: ['name', 'reversed'],
  uses: [sortedTextsLua],
  body: `
enter('s' .. name)
enter('p' .. reversed)`,
})

export const leaveIndexScript = script({
  keys: KEYS,
  given: ['name', 'reversed'],
  uses: [sortedTextsLua],
  body: `
leave('s' .. name)
leave('p' .. reversed)`,
})

/** At most a number of names, from the first to before the last. */
export const listIndexScript = script({
  keys: KEYS,
  given: ['first', 'last', 'limit'],
  uses: [sortedTextsLua],
  body: `
local names = {}
each(first, last, tonumber(limit), function(name) names[#names + 1] = string.sub(name, 2) end)
return names`,
})

/** Milliseconds for which the index of all collections is believed to name one. */
export const INDEXED_FOR = 3_600_000

/** Milliseconds for which the index of collections with undecided mutations is believed to name one. */
export const LISTED_FOR = 10_000

/** Indexes are on another server than most collections, which may lose what it was told last: so they are told again now and then. */
export const indexLua = `
local function isNamed(index, milliseconds)
  return tonumber(call('HGET', K.head, index) or 0) > now - milliseconds and 1 or 0
end
local function isIndexed() return isNamed('indexed', ${INDEXED_FOR}) end
local function isListed() return isNamed('listed', ${LISTED_FOR}) end`

/** A collection, if it is there, notes which index names it, and when that was so. */
export const noteIndexedScript = script({
  keys: ['head'],
  given: ['index'],
  body: `
if call('EXISTS', K.head) == 0 then return 0 end
call('HSET', K.head, index, now)
return 1`,
})
