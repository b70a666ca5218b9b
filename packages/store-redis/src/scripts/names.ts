import { script } from './script.js'
import { sortedTextsLua } from './sorted-texts.js'

const KEYS = ['starts', 'leaves'] as const

/** A collection is in the index twice: by source with the prefix `s`, and by partition with the prefix `p`. */
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

/** Returns a limited number of names, from `first` to before `last`. */
export const listIndexScript = script({
  keys: KEYS,
  given: ['first', 'last', 'limit'],
  uses: [sortedTextsLua],
  body: `
local names = {}
each(first, last, tonumber(limit), function(name) names[#names + 1] = string.sub(name, 2) end)
return names`,
})

/** Milliseconds until a collection adds itself to the index of collections again. */
export const INDEXED_FOR = 3_600_000

/** Milliseconds until a collection adds itself to the undecided index again. */
export const LISTED_FOR = 10_000

/** Indexes may be on another server, which may lose its latest writes in a failover. Collections therefore add themselves again from time to time. */
export const indexLua = `
local function isNamed(index, milliseconds)
  return tonumber(call('HGET', K.head, index) or 0) > now - milliseconds and 1 or 0
end
local function isIndexed() return isNamed('indexed', ${INDEXED_FOR}) end
local function isListed() return isNamed('listed', ${LISTED_FOR}) end`

/** Records in a collection, if it exists, when it was added to an index. */
export const recordIndexedScript = script({
  keys: ['head'],
  given: ['index'],
  body: `
if call('EXISTS', K.head) == 0 then return 0 end
call('HSET', K.head, index, now)
return 1`,
})
