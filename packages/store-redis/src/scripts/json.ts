/**
 * JSON text in Lua, spelled as by `JSON.stringify`, with the semantics of `attributesText`, `sameText` and `changeObject`. Values stay text, so that
 * no number is rounded and no empty list becomes an object.
 *
 * An object is read as the list of its members' names with the text of each value, in order. Example: `{"n":1.50,"l":[]}` has the names `n` and `l` and
 * the values `1.50` and `[]`; `cjson` would turn them into `1.5` and `{}`, and the object would differ from the one that the device sent.
 */
export const json = `
local byte, sub, find, match = string.byte, string.sub, string.find, string.match
local QUOTE, COMMA, LIST, LIST_END, OBJECT, OBJECT_END, BACKSLASH = 34, 44, 91, 93, 123, 125, 92

-- The end of the string that begins here: the first quote after an even number of backslashes. Searches for one character, which is fast in C.
local function textEnd(text, from)
  local at = from
  while true do
    at = find(text, '"', at + 1, true)
    local before = at - 1
    while byte(text, before) == BACKSLASH do before = before - 1 end
    if (at - before) % 2 == 1 then return at end
  end
end

-- The end of the value that begins here.
local function valueEnd(text, from)
  local first, at = byte(text, from), from
  if first == QUOTE then return textEnd(text, from) end
  if first ~= OBJECT and first ~= LIST then return find(text, '[,}%]]', from) - 1 end
  local depth = 0
  while true do
    at = find(text, '["{}%[%]]', at)
    local unit = byte(text, at)
    if unit == QUOTE then
      at = textEnd(text, at)
    elseif unit == OBJECT or unit == LIST then
      depth = depth + 1
    else
      depth = depth - 1
      if depth == 0 then return at end
    end
    at = at + 1
  end
end

-- The names of an object in order, and its values by name; names keep their quotes.
local function members(text)
  local names, values, at = {}, {}, 2
  while byte(text, at) ~= OBJECT_END do
    local nameEnd = textEnd(text, at)
    local name, last = sub(text, at, nameEnd), valueEnd(text, nameEnd + 2)
    names[#names + 1] = name
    values[name] = sub(text, nameEnd + 2, last)
    at = last + 1
    if byte(text, at) == COMMA then at = at + 1 end
  end
  return names, values
end

local function elements(text)
  local list, at = {}, 2
  while byte(text, at) ~= LIST_END do
    local last = valueEnd(text, at)
    list[#list + 1] = sub(text, at, last)
    at = last + 1
    if byte(text, at) == COMMA then at = at + 1 end
  end
  return list
end

-- A quick check for objects that differ: looks for a member with a simple value that is missing in the other. It stops after a few searches, since
-- each scans the whole text if names are in another order.
local MAX_SEARCHES = 4
local function plainlyDiffers(left, right)
  local at, searches = 2, 0
  while byte(left, at) ~= OBJECT_END and searches < MAX_SEARCHES do
    local from = textEnd(left, at) + 2
    local first, last = byte(left, from), valueEnd(left, from)
    local member = first ~= OBJECT and first ~= LIST and sub(left, at, last)
    if member and member ~= sub(right, at, last) then
      if not find(right, member, 1, true) then return true end
      searches = searches + 1
    end
    at = last + 1
    if byte(left, at) == COMMA then at = at + 1 end
  end
  return false
end

-- Deep equality, regardless of the order of names. Equal objects have the same length.
local function same(left, right)
  if left == right then return true end
  local first = byte(left)
  if #left ~= #right or first ~= byte(right) then return false end
  if first == LIST then
    local one, other = elements(left), elements(right)
    for index = 1, #one do
      if not other[index] or not same(one[index], other[index]) then return false end
    end
    return #one == #other
  end
  if first ~= OBJECT or plainlyDiffers(left, right) then return false end
  local names, values = members(left)
  local otherNames, others = members(right)
  for _, name in ipairs(names) do
    if not others[name] or not same(values[name], others[name]) then return false end
  end
  return #names == #otherNames
end

-- JavaScript orders integer-like names first, by number.
local function indexOf(name)
  local first = byte(name, 2)
  if first < 48 or first > 57 then return nil end
  local digits = match(name, '^"(%d+)"$')
  if not digits or #digits > 10 or (byte(digits) == 48 and digits ~= '0') then return nil end
  local index = tonumber(digits)
  return index < 4294967295 and index or nil
end

local function objectText(names, values)
  local indexes, rest, parts = {}, {}, {}
  for _, name in ipairs(names) do
    local value = values[name]
    local index = value and indexOf(name)
    if index then
      indexes[#indexes + 1] = index
    elseif value then
      rest[#rest + 1] = name .. ':' .. value
    end
  end
  if #indexes == 0 then return '{' .. table.concat(rest, ',') .. '}' end
  table.sort(indexes)
  for place, index in ipairs(indexes) do
    local name = '"' .. string.format('%.0f', index) .. '"'
    parts[place] = name .. ':' .. values[name]
  end
  for _, part in ipairs(rest) do parts[#parts + 1] = part end
  return '{' .. table.concat(parts, ',') .. '}'
end

-- Keeps the name in its list, without a value: removing each of many from the list would take quadratic time.
local function take(name, values)
  if not values[name] then return false end
  values[name] = nil
  return true
end

-- The names that still have values.
local function namesLeft(names, values)
  local rest = {}
  for _, name in ipairs(names) do
    if values[name] then rest[#rest + 1] = name end
  end
  return rest
end

-- Merges attributes into others; null removes one.
local function lay(text, names, values)
  local newNames, newValues = members(text)
  for _, name in ipairs(newNames) do
    if newValues[name] == 'null' then
      take(name, values)
    else
      if not values[name] then names[#names + 1] = name end
      values[name] = newValues[name]
    end
  end
end

local function merged(text, change)
  local names, values = members(text)
  lay(change, names, values)
  return objectText(names, values)
end
`
