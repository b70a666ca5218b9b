import { json } from './json.js'
import { script } from './script.js'

const KEYS = ['records', 'ids', 'owners', 'ends'] as const

/**
 * A record is packed: text, owner, end; false where there is none. Its id is in order in `ids`, and after its owner in `owners`;
 * the owner's text is marked and ended there as `pairText` does it.
 */
const records = String.raw`
local function ownedName(owner, id) return string.gsub(owner, '%z', '\0\1') .. '\0\0' .. id end

local function recordOf(id)
  local packed = call('HGET', K.records, id)
  if not packed then return nil end
  local record = cmsgpack.unpack(packed)
  return { id = id, text = record[1], owner = record[2], ends = record[3] }
end

local function put(record)
  call('HSET', K.records, record.id, cmsgpack.pack({ record.text, record.owner, record.ends }))
  call('ZADD', K.ids, 0, record.id)
  if record.owner then call('ZADD', K.owners, 0, ownedName(record.owner, record.id)) end
  if record.ends then call('ZADD', K.ends, record.ends, record.id) end
end

local function forget(record)
  call('HDEL', K.records, record.id)
  call('ZREM', K.ids, record.id)
  call('ZREM', K.ends, record.id)
  if record.owner then call('ZREM', K.owners, ownedName(record.owner, record.id)) end
end

-- What has expired counts as absent and goes with the next look, so many at a time.
local MOST_EXPIRED = 500
local function purge()
  local expired = call('ZRANGEBYSCORE', K.ends, '-inf', now, 'LIMIT', 0, MOST_EXPIRED)
  for _, id in ipairs(expired) do
    local record = recordOf(id)
    if record then forget(record) else call('ZREM', K.ends, id) end
  end
  return #expired == MOST_EXPIRED
end

local function present(id)
  local record = recordOf(id)
  if record and (not record.ends or record.ends > now) then return record end
  if record then forget(record) end
end

local function shown(record) return { record.id, record.text, record.owner, record.ends } end
`

export const createRecordScript = script({
  keys: KEYS,
  given: ['id', 'text', 'hasOwner', 'owner', 'ends'],
  uses: [json, records],
  body: `
purge()
if present(id) then return 0 end
put({ id = id, text = text, owner = hasOwner == '1' and owner, ends = tonumber(ends) or false })
return 1`,
})

export const getRecordScript = script({
  keys: KEYS,
  given: ['id'],
  uses: [json, records],
  body: `
local record = recordOf(id)
if not record or (record.ends and record.ends <= now) then return false end
return shown(record)`,
})

export const mergeRecordScript = script({
  keys: KEYS,
  given: ['id', 'change', 'ends'],
  uses: [json, records],
  body: `
local record = present(id)
if not record then return false end
record.text = merged(record.text, change)
record.ends = tonumber(ends) or record.ends
put(record)
return shown(record)`,
})

export const deleteRecordScript = script({
  keys: KEYS,
  given: ['id'],
  uses: [json, records],
  body: `
local record = present(id)
if not record then return 0 end
forget(record)
return 1`,
})

/** The first records of a range, and whether expired ones are left that have to go before it is looked at. */
export const listRecordsScript = script({
  keys: KEYS,
  given: ['isOwned', 'min', 'max', 'limit'],
  uses: [json, records],
  body: `
if purge() then return false end
local names, answer = call('ZRANGEBYLEX', isOwned == '1' and K.owners or K.ids, min, max, 'LIMIT', 0, limit), {}
for index, name in ipairs(names) do
  if isOwned == '1' then name = match(name, '^.-%z%z(.*)$') end
  answer[index] = shown(recordOf(name))
end
return answer`,
})

export const countRecordsScript = script({
  keys: KEYS,
  given: ['isOwned', 'min', 'max'],
  uses: [json, records],
  body: `
if purge() then return false end
return call('ZLEXCOUNT', isOwned == '1' and K.owners or K.ids, min, max)`,
})

/** Up to so many of a range go. */
export const deleteOwnedScript = script({
  keys: KEYS,
  given: ['min', 'max', 'limit'],
  uses: [json, records],
  body: `
if purge() then return false end
local names = call('ZRANGEBYLEX', K.owners, min, max, 'LIMIT', 0, limit)
for _, name in ipairs(names) do forget(recordOf(match(name, '^.-%z%z(.*)$'))) end
return #names`,
})
