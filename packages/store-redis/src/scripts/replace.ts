import { nextQueryLua, OBJECT_KEYS, writeObjectLua } from './objects.js'
import { script } from './script.js'

const KEYS = [...OBJECT_KEYS, 'staged', 'changes', 'removals'] as const

/** Why a replace must not go on, as `judgeReplace` says it. */
const judge = `
-- Collections up to this size are never guarded against losing most of their objects.
local GUARDED_ABOVE = 100

local function refusal(epoch, fence, since, most, removals)
  if field('epoch') ~= epoch then return 'epoch' end
  if not queryRuns(fence) then return 'fence' end
  if tonumber(since) < numberOf('floor') then return 'floor' end
  local count = numberOf('count')
  if count > GUARDED_ABOVE and tonumber(removals) / count > tonumber(most) then return 'share' end
end
`

const given = ['epoch', 'fence', 'since', 'most', 'removals'] as const

/** One batch of what is staged: changes, or removals once those are all written. Answers how many were taken, written and spared; or why it was refused. */
export const swapScript = script({
  keys: KEYS,
  given: [...given, 'which', 'limit', 'mark'],
  uses: [writeObjectLua, judge],
  body: `
local MAX_BYTES = 131072
-- The two lanes of an id, and what follows them.
local function parted(item)
  local high, low, last = match(item, '^(%d+) (%d+) ()')
  return { high, low, sub(item, last) }
end

local refused = refusal(epoch, fence, since, most, removals)
if refused then return refused end
local isRemoval = which == 'removals'
local taken, ids, items, seen, bytes = 0, {}, {}, {}, 0
while taken < tonumber(limit) and bytes < MAX_BYTES do
  local some = call('LPOP', K[which], 25) or {}
  if #some == 0 then break end
  local staged = isRemoval and some or call('HMGET', K.staged, unpack(some))
  for index, item in ipairs(staged) do
    taken = taken + 1
    ids[taken], items[taken] = isRemoval and parted(item)[3] or some[index], item
    bytes = bytes + (item and #item or 0)
  end
end
if taken == 0 then return { 0, 0, 0 } end
if not isRemoval then call('HDEL', K.staged, unpack(ids)) end
local presents, versions, dead = call('HMGET', K.objects, unpack(ids)), getScores(K.live, ids), getScores(K.tombstones, ids)
local rows, spared = {}, 0
for index, id in ipairs(ids) do
  -- What was staged twice stands in the list twice, and is written once.
  if items[index] and not seen[id] then
    seen[id] = true
    local part, present = parted(items[index]), presents[index]
    local text = not isRemoval and part[3]
    local isEqual = not text and not present or text and present and same(present, text)
    local isNewer = tonumber(versions[index] or dead[index] or 0) > tonumber(since)
    if isNewer and not isEqual then spared = spared + 1 end
    if not isNewer and not isEqual then rows[#rows + 1] = { id, part[1], part[2], text, versions[index], dead[index] } end
  end
end
writeBatch(rows, mark, { 'query' })
return { taken, #rows, spared }`,
})

/** Notes the success: what was asked before the query began is served. */
export const replacedScript = script({
  keys: KEYS,
  given: [...given, 'asked', 'nextQuery', 'nextQueryBefore', 'spared'],
  uses: [writeObjectLua, judge, nextQueryLua],
  body: `
local refused = refusal(epoch, fence, since, most, removals)
if refused then return refused end
call('HSET', K.head, 'served', math.max(numberOf('served'), tonumber(asked)), 'queriedAt', now)
call('HDEL', K.head, 'sourceError')
queryAgainAt(nextQuery, nextQueryBefore)
if tonumber(spared) > 0 then call('HINCRBY', K.head, 'asked', 1) end
return { numberOf('version'), numberOf('count') }`,
})
