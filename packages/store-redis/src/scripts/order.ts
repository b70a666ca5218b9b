/**
 * Indexes of undecided mutations: by owner, ordered by acceptance; by object and client, ordered by number. Started mutations are indexed by object,
 * so that a start takes constant time.
 */
export const order = `
local function placed(name, number, key) return under(name) .. string.format('%016.0f', number) .. key end
local function ofObject(entry) return placed(under(entry.object) .. entry.client, entry.number, entry.key) end

-- The key of the first entry under a name, and its member.
local function firstUnder(key, name)
  local start = under(name)
  if newScores[key] then writeAll() end
  local member = call('ZRANGEBYLEX', key, '[' .. start .. '0', '(' .. start .. ':', 'LIMIT', 0, 1)[1]
  return member and string.sub(member, #start + 17), member
end

local function enter(entry)
  setScore(K.undecided, entry.sequence, entry.key)
  setScore(K.byObject, 0, ofObject(entry))
  for _, owner in ipairs(entry.owners or {}) do setScore(K.byOwner, 0, placed(owner, entry.sequence, entry.key)) end
end

local function leave(entry)
  removeMember(K.undecided, entry.key)
  removeMember(K.byObject, ofObject(entry))
  for _, owner in ipairs(entry.owners or {}) do removeMember(K.byOwner, placed(owner, entry.sequence, entry.key)) end
end

local function isFirstOfObject(entry)
  return firstUnder(K.byObject, under(entry.object) .. entry.client) == entry.key
end

-- Ends the backend call of an entry.
local function stop(entry)
  if getField(K.started, entry.object) == entry.key then removeField(K.started, entry.object) end
end
`
