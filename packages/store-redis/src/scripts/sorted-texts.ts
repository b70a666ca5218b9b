/**
 * A packed list of texts ordered by bytes; a plain sorted set needs about 100 bytes more for each. `leaves` has sorted lists of a few dozen texts,
 * keyed by the lowest text of each; `starts` has these keys, the first of which is empty.
 */
export const sortedTextsLua = `
local MAX_LEAF_ENTRIES, MAX_LEAF_BYTES = 50, 8192

-- Compares by bytes, since Lua's operators use the server's locale.
local function isBefore(left, right)
  for at = 1, math.min(#left, #right) do
    local one, other = string.byte(left, at), string.byte(right, at)
    if one ~= other then return one < other end
  end
  return #left < #right
end

local function leafOf(text)
  local start = call('ZREVRANGEBYLEX', K.starts, '[' .. text, '-', 'LIMIT', 0, 1)[1]
  local packed = start and call('HGET', K.leaves, start)
  return start or '', packed and cmsgpack.unpack(packed) or {}
end

local function keepLeaf(start, list)
  local packed = cmsgpack.pack(list)
  if #list > 1 and (#list > MAX_LEAF_ENTRIES or #packed > MAX_LEAF_BYTES) then
    local middle, half = math.floor(#list / 2), {}
    for at = #list, middle + 1, -1 do half[at - middle], list[at] = list[at], nil end
    call('ZADD', K.starts, 0, half[1])
    call('HSET', K.leaves, half[1], cmsgpack.pack(half))
    packed = cmsgpack.pack(list)
  end
  call('ZADD', K.starts, 0, start)
  call('HSET', K.leaves, start, packed)
end

-- The position of the first text that is not before this one.
local function placeIn(list, text)
  local low, high = 1, #list + 1
  while low < high do
    local middle = math.floor((low + high) / 2)
    if isBefore(list[middle], text) then low = middle + 1 else high = middle end
  end
  return low
end

local function enter(text)
  local start, list = leafOf(text)
  local place = placeIn(list, text)
  if list[place] == text then return end
  table.insert(list, place, text)
  keepLeaf(start, list)
end

local function leave(text)
  local start, list = leafOf(text)
  local place = placeIn(list, text)
  if list[place] ~= text then return end
  table.remove(list, place)
  if #list > 0 then return keepLeaf(start, list) end
  call('ZREM', K.starts, start)
  call('HDEL', K.leaves, start)
end

-- Calls take with each text from first to before last, up to the limit.
local function each(first, last, limit, take)
  local start, list = leafOf(first)
  local place, count = placeIn(list, first), 0
  while count < limit do
    local text = list[place]
    if text then
      if not isBefore(text, last) then return count end
      take(text)
      place, count = place + 1, count + 1
    else
      start = call('ZRANGEBYLEX', K.starts, '(' .. start, '+', 'LIMIT', 0, 1)[1]
      if not start then return count end
      list, place = cmsgpack.unpack(call('HGET', K.leaves, start)), 1
    end
  end
  return count
end
`
