import { json } from './json.js'
import { script } from './script.js'
import { sortedTextsLua } from './sorted-texts.js'

const KEYS = ['records', 'starts', 'leaves'] as const

/**
 * A record is packed as text, owner and expiry, false for missing ones. One packed index has `i` with the id, `o` with the owner and id joined as by
 * `pairText`, and `e` with the expiry and id.
 *
 * The index is one sorted set with equal scores, in which a range of texts is a page: one key instead of three keeps every change a single step.
 * Example: the session `s1` of `ada` that expires at 1700 has the texts `i…s1`, `o…ada…s1` and `e…1700…s1`. The sessions of `ada` are the range of `o`
 * that begins with her login; what has expired is the range of `e` up to now.
 */
const storedRecordLua = `
local function recordOf(id)
  local packed = call('HGET', K.records, id)
  if not packed then return nil end
  local record = cmsgpack.unpack(packed)
  return { id = id, text = record[1], owner = record[2], ends = record[3] }
end

local function shown(record) return { record.id, record.text, record.owner, record.ends } end
`

const recordsLua = String.raw`
local function ownedName(owner, id) return 'o' .. string.gsub(owner, '%z', '\0\1') .. '\0\0' .. id end

-- Fixed width, so that times sort as text; times after the year 2286 are capped.
local function endName(ends, id) return 'e' .. string.format('%017.3f', math.min(ends, 9999999999999)) .. id end

local function keep(record)
  call('HSET', K.records, record.id, cmsgpack.pack({ record.text, record.owner, record.ends }))
end

local function put(record)
  keep(record)
  enter('i' .. record.id)
  if record.owner then enter(ownedName(record.owner, record.id)) end
  if record.ends then enter(endName(record.ends, record.id)) end
end

local function forget(record)
  call('HDEL', K.records, record.id)
  leave('i' .. record.id)
  if record.owner then leave(ownedName(record.owner, record.id)) end
  if record.ends then leave(endName(record.ends, record.id)) end
end

-- The ids in the index from first to before last, up to the limit.
local function idsBetween(first, last, most)
  local ids = {}
  each(first, last, tonumber(most), function(text)
    ids[#ids + 1] = byte(text) == byte('i') and sub(text, 2) or match(text, '^.-%z%z(.*)$')
  end)
  return ids
end

-- Expired records count as absent; each call deletes a limited number.
local MAX_EXPIRED = 75
local function purge()
  local expired = {}
  each('e', endName(now + 0.001, ''), MAX_EXPIRED, function(text) expired[#expired + 1] = text end)
  for _, text in ipairs(expired) do
    local record = recordOf(sub(text, 19))
    -- Older versions wrote far expiry times wider, so the rest may be no record's id, or another's.
    if record and text == endName(record.ends or 0, record.id) then forget(record) else leave(text) end
  end
  return #expired == MAX_EXPIRED
end

local function present(id)
  local record = recordOf(id)
  if record and (not record.ends or record.ends > now) then return record end
  if record then forget(record) end
end
`

export const createRecordScript = script({
  keys: KEYS,
  given: ['id', 'text', 'hasOwner', 'owner', 'ends'],
  uses: [json, sortedTextsLua, storedRecordLua, recordsLua],
  body: `
purge()
if present(id) then return 0 end
put({ id = id, text = text, owner = hasOwner == '1' and owner, ends = tonumber(ends) or false })
return 1`,
})

/** Used by every request, so it includes few fragments. */
export const getRecordScript = script({
  keys: ['records'],
  given: ['id'],
  uses: [storedRecordLua],
  body: `
local record = recordOf(id)
if not record or (record.ends and record.ends <= now) then return false end
return shown(record)`,
})

export const mergeRecordScript = script({
  keys: KEYS,
  given: ['id', 'change', 'ends'],
  uses: [json, sortedTextsLua, storedRecordLua, recordsLua],
  body: `
local record = present(id)
if not record then return false end
record.text = merged(record.text, change)
if ends ~= '' and tonumber(ends) ~= record.ends then
  if record.ends then leave(endName(record.ends, id)) end
  record.ends = tonumber(ends)
  enter(endName(record.ends, id))
end
keep(record)
return shown(record)`,
})

export const deleteRecordScript = script({
  keys: KEYS,
  given: ['id'],
  uses: [json, sortedTextsLua, storedRecordLua, recordsLua],
  body: `
local record = present(id)
if not record then return 0 end
forget(record)
return 1`,
})

/** Returns the first records in a range of the index, or false if expired records must be purged first. */
export const listRecordsScript = script({
  keys: KEYS,
  given: ['first', 'last', 'limit'],
  uses: [json, sortedTextsLua, storedRecordLua, recordsLua],
  body: `
if purge() then return false end
local answer = {}
for index, id in ipairs(idsBetween(first, last, limit)) do answer[index] = shown(recordOf(id)) end
return answer`,
})

/** Counts all records, or a limited number in a range of the index. Returns the last id if there may be more. */
export const countRecordsScript = script({
  keys: KEYS,
  given: ['first', 'last', 'limit'],
  uses: [json, sortedTextsLua, storedRecordLua, recordsLua],
  body: `
if purge() then return false end
if first == '' then return { call('HLEN', K.records), false } end
local ids = idsBetween(first, last, limit)
return { #ids, #ids == tonumber(limit) and ids[#ids] }`,
})

/** Deletes a limited number of records in a range of the index. */
export const deleteOwnedScript = script({
  keys: KEYS,
  given: ['first', 'last', 'limit'],
  uses: [json, sortedTextsLua, storedRecordLua, recordsLua],
  body: `
if purge() then return false end
local ids = idsBetween(first, last, limit)
for _, id in ipairs(ids) do forget(recordOf(id)) end
return #ids`,
})
