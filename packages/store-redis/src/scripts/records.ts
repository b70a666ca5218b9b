import { json } from './json.js'
import { script } from './script.js'
import { sortedTextsLua } from './sorted-texts.js'

const KEYS = ['records', 'starts', 'leaves'] as const

/**
 * A record is packed: text, owner, end; false where there is none. What finds it stands in one packed order: `i` and its id, `o` and its owner's pair with
 * the id, as `pairText` makes it, `e` and its end.
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

-- Of one width, so that ends sort as texts do: what ends after the year 2286 stands there.
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

-- The ids of texts from the first to before the last, up to the limit.
local function idsBetween(first, last, most)
  local ids = {}
  each(first, last, tonumber(most), function(text)
    ids[#ids + 1] = byte(text) == byte('i') and sub(text, 2) or match(text, '^.-%z%z(.*)$')
  end)
  return ids
end

-- What has expired counts as absent and goes with the next look, a few at a time.
local MAX_EXPIRED = 75
local function purge()
  local expired = {}
  each('e', endName(now + 0.001, ''), MAX_EXPIRED, function(text) expired[#expired + 1] = text end)
  for _, text in ipairs(expired) do
    local record = recordOf(sub(text, 19))
    -- An older version wrote far ends wider, so that they name no record, or another.
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

/** Every request asks for one or two: it brings nothing along that it does not need. */
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

/** The first records between two texts; nothing: expired ones are left that have to go before it is looked at. */
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

/** Counts all records, or a number of them between two texts, with the id of the last, from which it continues. */
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

/** Removes at most a number of records between two texts. */
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
