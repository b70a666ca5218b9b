import { READ_BYTES } from '@godwit/store/history'
import { ranges } from './changes.js'
import { json } from './json.js'
import { head, nextQueryLua, OBJECT_KEYS, writeObjectLua } from './objects.js'
import { script } from './script.js'

/** Milliseconds after which the staged keys of an abandoned query expire; a running query extends it. */
const keepStaged = `
for _, key in ipairs({ K.staged, K.changes, K.removals }) do call('PEXPIRE', key, 86400000) end
`

/**
 * A query replaces a collection in four scripts, because one step with all objects would block Redis for seconds. 1: `stageScript` compares parts of the
 * result with the collection, while other writes go on, and stages what differs. 2: `walkScript` lists the stored ids, and `stageRemovalsScript` stages
 * those that the result lacks. 3: `swapScript` writes what is staged, batch by batch, each under the conditions of the query. 4: `replacedScript`
 * records the success. A query that fails before step 3 has changed nothing, and its staged keys expire.
 *
 * Example: the collection has `a` and `b`; the result has `a` with another text and `c`. Staged are `a` and `c`, then the removal of `b`. If a device
 * changes `a` meanwhile, `a` has a newer version than `since`, so step 3 spares it, and step 4 requests another query.
 *
 * This script compares objects (id, lanes, text) with the collection and stages those that differ. Returns the head's version, and for each object `new` or
 * `other` (staged), `equal`, or the stored text if only the order differs.
 */
export const stageScript = script({
  keys: ['head', 'objects', 'staged', 'changes', 'removals'],
  uses: [json],
  body: `
local ids, values, staged, back, answer = {}, {}, {}, {}, {}
for at = REST, #ARGV, 3 do ids[#ids + 1] = ARGV[at] end
local presents = call('HMGET', K.objects, unpack(ids))
for index, id in ipairs(ids) do
  local lanes, text, present = ARGV[REST + 3 * index - 2], ARGV[REST + 3 * index - 1], presents[index]
  if present and same(present, text) then
    back[#back + 1] = id
    answer[index] = present == text and 'equal' or present
  else
    staged[#staged + 1] = id
    values[#values + 1], values[#values + 2] = id, lanes .. ' ' .. text
    answer[index] = present and 'other' or 'new'
  end
end
if #back > 0 then call('HDEL', K.staged, unpack(back)) end
if #staged > 0 then
  call('HSET', K.staged, unpack(values))
  call('RPUSH', K.changes, unpack(staged))
end
${keepStaged}
return { tonumber(call('HGET', K.head, 'version') or 0), answer }`,
})

/** Stages removals, each as the lanes of an id and the id. */
export const stageRemovalsScript = script({
  keys: ['staged', 'changes', 'removals'],
  body: `
call('RPUSH', K.removals, unpack(ARGV, REST))
${keepStaged}`,
})

/**
 * Reads live objects after an id, with the head's version and count. Objects changed after `since` come with their text, up to a limit of bytes; the
 * last value tells whether there may be more.
 */
export const walkScript = script({
  keys: ['head', 'ids', 'live', 'objects'],
  given: ['after', 'limit', 'since'],
  uses: [head],
  body: `
local ids = call('ZRANGEBYLEX', K.ids, after == '' and '-' or '(' .. after, '+', 'LIMIT', 0, limit)
local versions, rows, bytes = #ids > 0 and call('ZMSCORE', K.live, unpack(ids)) or {}, {}, 0
local more = #ids == tonumber(limit) and 1 or 0
for index, id in ipairs(ids) do
  if bytes > ${READ_BYTES} then more = 1 break end
  local isNewer = tonumber(versions[index]) > tonumber(since)
  local text = isNewer and call('HGET', K.objects, id)
  rows[2 * index - 1], rows[2 * index] = id, text
  bytes = bytes + (text and #text or 0)
end
return { numberOf('version'), numberOf('count'), rows, more }`,
})

/** Reads tombstones after a position. */
export const walkTombstonesScript = script({
  keys: ['tombstones'],
  given: ['version', 'id', 'limit'],
  uses: [ranges],
  body: `
local rows = {}
for index, row in ipairs(rowsAfter(K.tombstones, tonumber(version), id, tonumber(limit))) do
  rows[2 * index - 1], rows[2 * index] = row[1], row[2]
end
return rows`,
})

const KEYS = [...OBJECT_KEYS, 'staged', 'changes', 'removals'] as const

/** Why a replace must stop, as in `judgeReplace`. */
const judgeLua = `
local function refusal(epoch, fence, since)
  if field('epoch') ~= epoch then return 'epoch' end
  if not queryRuns(fence) then return 'fence' end
  if tonumber(since) < numberOf('floor') then return 'floor' end
end
`

const given = ['epoch', 'fence', 'since'] as const

/** Writes one batch of staged changes, or of removals after all changes. Returns how many were taken, written and spared, or why it was refused. */
export const swapScript = script({
  keys: KEYS,
  given: [...given, 'which', 'limit', 'mark'],
  uses: [writeObjectLua, judgeLua],
  body: `
local MAX_BYTES = 131072
-- Splits an item into the two lanes and the rest.
local function parted(item)
  local high, low, last = match(item, '^(%d+) (%d+) ()')
  return { high, low, sub(item, last) }
end

local refused = refusal(epoch, fence, since)
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
  -- An id that was staged twice is listed twice and written once.
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

/** Records the successful query: requests made before it began are served. `pending`: the removals that were held back, as JSON, or ''. */
export const replacedScript = script({
  keys: KEYS,
  given: [...given, 'queriesRequested', 'nextQuery', 'nextQueryBefore', 'spared', 'pending'],
  uses: [writeObjectLua, judgeLua, nextQueryLua],
  body: `
local refused = refusal(epoch, fence, since)
if refused then return refused end
call('HSET', K.head, 'queriesServed', math.max(numberOf('queriesServed'), tonumber(queriesRequested)), 'queriedAt', now)
call('HDEL', K.head, 'sourceError')
if pending == '' then call('HDEL', K.head, 'pendingRemovals', 'acceptedRemovals') else call('HSET', K.head, 'pendingRemovals', pending) end
queryAgainAt(nextQuery, nextQueryBefore)
if tonumber(spared) > 0 then call('HINCRBY', K.head, 'queriesRequested', 1) end
return { numberOf('version'), numberOf('count') }`,
})
