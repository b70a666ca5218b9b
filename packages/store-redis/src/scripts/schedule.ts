import { head, nextQueryLua } from './objects.js'
import { script } from './script.js'

/** Requests a query, or with `at` sets the time of the next one. */
export const askScript = script({
  keys: ['head'],
  given: ['at'],
  uses: [head, nextQueryLua],
  body: `
if call('EXISTS', K.head) == 0 then return end
if at == '' then requestQuery() else setDue(at) end`,
})

/** Accepts the removals that were held back, if they are still those that were read, and requests a query. Returns them as JSON, or false. */
export const acceptRemovalsScript = script({
  keys: ['head'],
  given: ['read', 'sketch'],
  uses: [head],
  body: `
local pending = call('HGET', K.head, 'pendingRemovals')
if pending ~= read then return pending end
call('HSET', K.head, 'acceptedRemovals', sketch)
requestQuery()
return pending`,
})

export const failureScript = script({
  keys: ['head'],
  given: ['failure', 'nextQuery', 'nextQueryBefore'],
  uses: [head, nextQueryLua],
  body: `
if call('EXISTS', K.head) == 0 then return end
call('HSET', K.head, 'sourceError', failure)
queryAgainAt(nextQuery, nextQueryBefore)`,
})

/** Batches have their version as score and end with their time. Times never decrease, so a binary search finds the last batch before a time. */
export const versionAtScript = script({
  keys: ['head', 'batches'],
  given: ['time'],
  uses: [head],
  body: `
local floor, wanted = numberOf('floor'), tonumber(time)
local low, high = call('ZCOUNT', K.batches, '-inf', floor), call('ZCARD', K.batches)
while low < high do
  local middle = math.floor((low + high) / 2)
  local batch = call('ZRANGE', K.batches, middle, middle)[1]
  if tonumber(string.match(batch, '%d+$')) > wanted then high = middle else low = middle + 1 end
end
local before = low > 0 and call('ZRANGE', K.batches, low - 1, low - 1, 'WITHSCORES')
return math.max(floor, before and tonumber(before[2]) or 0)`,
})
