/**
 * Two implementations of access to hashes and sorted sets. Lists alternate names and values of a hash, or scores and members of a sorted set; missing
 * values are false.
 */
const callWith = `
-- Splits more values than Lua's stack holds into several calls.
local MAX_VALUES = 4000
local function callWith(command, key, values)
  for from = 1, #values, MAX_VALUES do
    call(command, key, unpack(values, from, math.min(from + MAX_VALUES - 1, #values)))
  end
end
`

/** Direct access: each read or write is one command for any number of fields. For scripts that read everything once. */
export const atOnce = `
${callWith}
local function getField(key, name) return call('HGET', key, name) end
local function getFields(key, names) return call('HMGET', key, unpack(names)) end
local function getScores(key, members)
  if #members == 0 or call('EXISTS', key) == 0 then return {} end
  return call('ZMSCORE', key, unpack(members))
end
local function setFields(key, list) callWith('HSET', key, list) end
local function removeFields(key, names) callWith('HDEL', key, names) end
local function setScores(key, list) callWith('ZADD', key, list) end
local function removeMembers(key, members)
  if #members > 0 and call('EXISTS', key) == 1 then callWith('ZREM', key, members) end
end
`

/**
 * Cached access: later reads see pending writes, which `writeDown` sends at the end, one command for each key. For scripts of several dependent
 * operations; a script that fails has written nothing.
 *
 * Example: a settlement writes `a` in version 8 and then passes the outcome on to a dependent change of `a`. The second read of `a` must return version
 * 8, which is not in Redis yet: it comes from `newFields`. `writeDown` then sends one HSET and one ZADD with the last values.
 */
export const atTheEnd = `
${callWith}
local fields, scores, newFields, newScores = {}, {}, {}, {}
local function ofKey(all, key)
  local one = all[key]
  if not one then
    one = {}
    all[key] = one
  end
  return one
end

local function getField(key, name)
  local known = ofKey(fields, key)
  if known[name] == nil then known[name] = call('HGET', key, name) end
  return known[name]
end

local function getScore(key, member)
  local known = ofKey(scores, key)
  if known[member] == nil then known[member] = tonumber(call('ZSCORE', key, member) or nil) or false end
  return known[member]
end

-- Reads all uncached names in one command.
local function learn(command, key, names, known)
  local answer, unknown, places = {}, {}, {}
  for place, name in ipairs(names) do
    local value = known[name]
    answer[place] = value
    if value == nil then unknown[#unknown + 1], places[#places + 1] = name, place end
  end
  if #unknown == 0 then return answer end
  for at, value in ipairs(call(command, key, unpack(unknown))) do
    known[unknown[at]], answer[places[at]] = value, value
  end
  return answer
end

local function getFields(key, names) return learn('HMGET', key, names, ofKey(fields, key)) end
local function getScores(key, members) return learn('ZMSCORE', key, members, ofKey(scores, key)) end

local function setField(key, name, value)
  ofKey(fields, key)[name], ofKey(newFields, key)[name] = value, true
end
local function setFields(key, list)
  for at = 1, #list, 2 do setField(key, list[at], list[at + 1]) end
end
local function removeField(key, name) setField(key, name, false) end
local function removeFields(key, names)
  for _, name in ipairs(names) do removeField(key, name) end
end

local function setScore(key, score, member)
  ofKey(scores, key)[member], ofKey(newScores, key)[member] = score, true
end
local function setScores(key, list)
  for at = 1, #list, 2 do setScore(key, list[at], list[at + 1]) end
end
local function removeMember(key, member)
  if ofKey(scores, key)[member] ~= false then setScore(key, false, member) end
end
local function removeMembers(key, members)
  for _, member in ipairs(members) do removeMember(key, member) end
end

-- ZADD takes each score before its member.
local function write(key, names, known, commands)
  local list, gone = {}, {}
  for name in pairs(names) do
    local value = known[name]
    if value then
      list[#list + 1] = commands.isScore and value or name
      list[#list + 1] = commands.isScore and name or value
    else
      gone[#gone + 1] = name
    end
  end
  callWith(commands.set, key, list)
  callWith(commands.remove, key, gone)
end

local HASH, SORTED = { set = 'HSET', remove = 'HDEL' }, { set = 'ZADD', remove = 'ZREM', isScore = true }
local function writeDown()
  for key, names in pairs(newFields) do write(key, names, fields[key], HASH) end
  for key, members in pairs(newScores) do write(key, members, scores[key], SORTED) end
  newFields, newScores = {}, {}
end
`
