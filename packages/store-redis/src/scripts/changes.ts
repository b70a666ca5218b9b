import { READ_BYTES } from '@godwit/store/history'
import { wholeHead } from './objects.js'
import { script } from './script.js'

/** How many rows one script reads at most. */
export const MAX_ROWS = 2000

/** `nextBlock(block, largest)`: how many texts to read next, of which at most one read's bytes are wasted; `largest` is the size of those so far. */
export const blocks = `
local function nextBlock(block, largest)
  return math.max(1, math.min(50, block * 4, math.floor(${READ_BYTES} / math.max(largest, 1))))
end
`

/** Reads rows after a position in a sorted set, in order of score (the version) and id. */
export const ranges = `
-- Compares by bytes, since Lua's operators use the server's locale.
local function isAfter(left, right)
  for at = 1, math.min(#left, #right) do
    local one, other = string.byte(left, at), string.byte(right, at)
    if one ~= other then return one > other end
  end
  return #left > #right
end

-- The rank of the first row after (version, id).
local function rankAfter(key, version, id)
  if tonumber(call('ZSCORE', key, id) or -1) == version then return call('ZRANK', key, id) + 1 end
  local low, high = call('ZCOUNT', key, '-inf', '(' .. version), call('ZCOUNT', key, '-inf', version)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if isAfter(call('ZRANGE', key, middle, middle)[1], id) then high = middle else low = middle + 1 end
  end
  return low
end

local function rowsAfter(key, version, id, limit)
  local from = rankAfter(key, version, id)
  local list, rows = call('ZRANGE', key, from, from + limit - 1, 'WITHSCORES'), {}
  for at = 1, #list, 2 do rows[#rows + 1] = { list[at], tonumber(list[at + 1]) } end
  return rows
end

-- Merges the first rows of two sorted lists.
local function firstOf(left, right, limit)
  local rows, one, other = {}, 1, 1
  while #rows < limit and (left[one] or right[other]) do
    local a, b = left[one], right[other]
    if not b or (a and (a[2] < b[2] or (a[2] == b[2] and isAfter(b[1], a[1])))) then
      rows[#rows + 1], one = a, one + 1
    else
      rows[#rows + 1], other = b, other + 1
    end
  end
  return rows
end
`

/**
 * `changesAfter()` returns the head, whether the position is valid, the rows (id, version, text) and whether there may be more, or false without a
 * collection. It checks the position as `standing` does; the cost is proportional to the rows returned, whose number and bytes are limited.
 */
export const readRowsLua = `
${ranges}
${blocks}
${wholeHead}
local function stands(state)
  if epoch == '' or epoch ~= state[1] then return false end
  local batch = call('ZRANGEBYSCORE', K.batches, readHead, readHead, 'LIMIT', 0, 1)[1]
  if not batch or string.match(batch, '^(.*) %d+$') ~= mark then return false end
  local lowest = tonumber(base) > 0 and base or start
  return tonumber(lowest) >= tonumber(state[3])
end

local function changesAfter()
  local head = wholeHead()
  if #head == 0 then return false end
  local state = call('HMGET', K.head, 'epoch', 'version', 'floor')
  local most = math.min(tonumber(limit), ${MAX_ROWS})
  local known = stands(state)
  local fromVersion, fromId, hidden = 0, '', tonumber(state[2])
  -- No version is above the head's, so a device that is up to date is answered without a read.
  if known and most > 0 and tonumber(version) > hidden then return { head, 1, {}, 0 } end
  if known then
    fromVersion, fromId = tonumber(version), id
    hidden = tonumber(base) == 0 and tonumber(start) or 0
  end
  if most == 0 then return { head, known and 1 or 0, {}, 1 } end
  local tombVersion, tombId = fromVersion, fromId
  -- Skips the hidden versions: starts just before the next one.
  if hidden >= fromVersion then tombVersion, tombId = hidden + 1, '' end
  local live = rowsAfter(K.live, fromVersion, fromId, most)
  local rows = firstOf(live, rowsAfter(K.tombstones, tombVersion, tombId, most), most)
  local answer, bytes, from, block, largest = {}, 0, 1, 1, 0
  while from <= #rows do
    local ids, last = {}, math.min(from + block - 1, #rows)
    for index = from, last do ids[#ids + 1] = rows[index][1] end
    local texts = call('HMGET', K.objects, unpack(ids))
    for index, id in ipairs(ids) do
      local text = texts[index]
      bytes, largest = bytes + #id + (text and #text or 0), math.max(largest, text and #text or 0)
      if bytes > ${READ_BYTES} and #answer > 0 then return { head, known and 1 or 0, answer, 1 } end
      answer[#answer + 1], answer[#answer + 2], answer[#answer + 3] = id, rows[from + index - 1][2], text
    end
    from, block = last + 1, nextBlock(block, largest)
  end
  return { head, known and 1 or 0, answer, #rows == most and 1 or 0 }
end
`

/** The keys that `changesAfter` reads. */
export const READING_KEYS = ['head', 'live', 'tombstones', 'batches', 'objects'] as const
/** The arguments of `changesAfter`: the number of rows, then the reader's position. */
export const PLACE = ['limit', 'epoch', 'readHead', 'mark', 'base', 'start', 'version', 'id'] as const

export const changesScript = script({
  keys: READING_KEYS,
  given: PLACE,
  uses: [readRowsLua],
  body: 'return changesAfter()',
})
