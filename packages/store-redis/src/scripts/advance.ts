import { nextQueryLua, OBJECT_KEYS, writeObjectLua } from './objects.js'
import { script } from './script.js'

const given = ['epoch', 'reader', 'fence', 'since', 'mark', 'moves', 'previous', 'next'] as const
const end = ['ends', 'queriesRequested', 'nextQuery', 'nextQueryBefore'] as const

/**
 * Applies what a source reports: four arguments for each object (id, lanes, text; no text for a removal). Moves the cursor and records the end of a
 * run, unless an object was spared. Returns why it was refused, as in `judgeAdvance`, or the state and the ids that were spared.
 */
export const advanceScript = script({
  keys: [...OBJECT_KEYS, 'cursors'],
  given: [...given, ...end],
  uses: [writeObjectLua, nextQueryLua],
  body: `
local known = call('HMGET', K.cursors, 'fence ' .. reader, 'cursor')
if field('epoch') ~= epoch then return 'epoch' end
if tonumber(fence) < tonumber(known[1] or 0) then return 'fence' end
if tonumber(since) < numberOf('floor') then return 'floor' end
if moves ~= '' and (known[2] or '') ~= previous then return 'cursor' end
call('HSET', K.cursors, 'fence ' .. reader, fence)
local ids, rows, spared = {}, {}, {}
for at = REST, #ARGV, 4 do ids[#ids + 1] = ARGV[at] end
local presents = #ids > 0 and call('HMGET', K.objects, unpack(ids)) or {}
local versions, dead, keepEqual = getScores(K.live, ids), getScores(K.tombstones, ids), queryRuns()
for index, id in ipairs(ids) do
  local at = REST + 4 * (index - 1)
  local text, present, live, gone = ARGV[at + 3], presents[index], versions[index], dead[index]
  if text == '' then text = false end
  local isEqual = not text and not live and gone or text and present and same(present, text)
  local version = tonumber(live or gone or 0)
  if not isEqual and version > tonumber(since) then
    spared[#spared + 1] = id
  elseif not isEqual or keepEqual or call('HGET', K.started, id) then
    rows[#rows + 1] = { id, ARGV[at + 1], ARGV[at + 2], text, live, gone }
  end
end
writeBatch(rows, mark, { 'query' })
if #spared == 0 then
  if moves ~= '' and next == '' then call('HDEL', K.cursors, 'cursor') end
  if moves ~= '' and next ~= '' then call('HSET', K.cursors, 'cursor', next) end
  if ends ~= '' then
    call('HSET', K.head, 'queriesServed', math.max(numberOf('queriesServed'), tonumber(queriesRequested)))
    call('HDEL', K.head, 'sourceError')
    queryAgainAt(nextQuery, nextQueryBefore)
  end
end
local state = call('HMGET', K.head, 'version', 'mark', 'epoch', 'count')
return { #rows, tonumber(state[1]), state[2], state[3], tonumber(state[4]), spared }`,
})
